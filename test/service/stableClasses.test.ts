import { isStableClass } from '../../service/src/picker/selectors/stableNames.ts';

const names = {
	lasting:
		'card price list-price listPrice blockListLast memItemLeft memItemRight rowgroup h2 navUI toctree-l1 product_card html section-number desktoponly card__title card__price--new Card__Title product_card__title shopCard__fullName السعر-الجديد 价格 सूची',
	'made up':
		'css-1q2w3e sc-bdVaJa bdvvtL fnyVFH kXyZab gLpWnd hGEcds jTWMVs Card_title__x1Y2z _title_1x2y3_1 svelte-k3j9a2 item-4711 jsx-2871293847 title-AbCdE giuEOK QQEIkU r-bcqeeo',
	passing: 'active is-open odd row-even altColor first last selected has-image js-toggle featured',
	'about looks': 'p-4 flex md:w-1/2 text-sm mt-2 col-md-6 bg-white rounded-lg',
};

test.each(Object.entries(names))('names that are %s', (kind, list) => {
	const found = list.split(' ').filter(isStableClass).join(' ');
	expect(found).toBe(kind === 'lasting' ? list : '');
});
