/** A page that tries everything to reach what is around its frame. */
export const hostilePage = `<!doctype html><html onclick="reach('html')"><head>
	<base href="http://evil.example/" target="_top"><meta http-equiv="refresh" content="60;url=/evil/refresh">
	<script>reach('script'); parent.reached = 1; top.location = '/evil/top'</script>
	<style>.cover { position: fixed; inset: 0; z-index: 2147483647; background: red; pointer-events: none }
	body { cursor: none }</style></head>
	<body onload="reach('load')"><div class="cover"></div>
	<img src="/evil/none.png" onerror="top.reached = 2"><svg onload="top.reached = 3"><a xlink:href="javascript:top.reached=4"><text y="20">svg link</text></a></svg>
	<form action="/console/sign-out" method="post"><input autofocus onfocus="top.reached = 5"><button>Send</button></form>
	<a href="javascript:top.reached=6">script link</a> <a href="/evil/link" target="_top" ping="/evil/ping">top link</a>
	<iframe srcdoc="<script>top.reached = 7</script>"></iframe><object data="/evil/object"></object><embed src="/evil/embed">
	<details ontoggle="top.reached = 8" open><summary>more</summary></details>
	<ul><li class="row"><b onmouseover="top.reached = 9">one</b></li><li class="row"><b>two</b></li></ul>
	<form><math><mtext></form><form><mglyph><style></math><img src onerror="top.reached = 11"><iframe srcdoc="<script>top.reached = 12</script>"></style></mglyph></form></mtext></math>
	<img name="addEventListener"><img name="querySelectorAll">
	<button formaction="/evil/form" onclick="top.reached = 10">Button</button></body></html>`;
