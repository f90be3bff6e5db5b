import { z } from 'zod';
import { shortened } from '../../text/shortened.ts';
import { parsedJson } from './answerText.ts';

const said = z.union([z.string().min(1), z.record(z.string(), z.unknown())]);
/** As HTTP has them, or negative: other numbers may be those of success. What names itself one is one by whatever code. */
const failedCode = z.number().refine((code) => code < 0 || (code >= 400 && code < 600));
const failedMessage = z.string().regex(/^(?!.*(success|\bok\b|成功))(?=.)/is);
const noData = z.null().optional();
/** In an envelope with a code, a message, and no data. */
const envelopes = (['code', 'status', 'errno'] as const).flatMap((code) =>
	(['message', 'msg', 'errmsg'] as const).map((message) =>
		z.looseObject({ [code]: failedCode, [message]: failedMessage, data: noData, result: noData }),
	),
);
/** Of answers whose whole says that they have failed. */
const failed = z.union([
	...envelopes,
	z.looseObject({ status: z.enum(['error', 'fail', 'failed', 'failure']) }),
	z.looseObject({ success: z.literal(false) }),
	z.looseObject({ ok: z.literal(false) }),
]);
/** As GraphQL, JSON:API, JSON-RPC, JSend and many others say it, whatever their status says. */
const withError = z.union([
	z.object({ errors: z.union([z.array(z.unknown()).min(1), said]) }),
	z.object({ error: z.union([said, z.literal(true)]) }),
	z
		.looseObject({ type: z.literal('error') })
		.transform((whole) => ({ error: whole.payload ?? whole })),
	failed.transform((whole) => ({ error: whole })),
]);
/** Answers of GraphQL to several queries at once, and nothing else: rows may have such columns. */
const batch = z.array(
	z.strictObject({ data: z.unknown(), errors: z.unknown(), extensions: z.unknown() }).partial(),
);
const withMessage = z
	.object({ message: z.string(), msg: z.string(), errmsg: z.string() })
	.partial()
	.transform(({ message, msg, errmsg }) => message ?? msg ?? errmsg);

/** What an answer says of having failed, in a few words: "Busy" of `{"errors":[{"message":"Busy"}]}`; undefined: it has not, or is no JSON. */
export function errorIn(text: string): string | undefined {
	const whole = parsedJson(text);
	const answers = batch.safeParse(whole).data ?? [whole];
	const data = answers.map((each) => withError.safeParse(each).data).find((each) => each);
	if (!data) return undefined;
	const error = 'errors' in data ? data.errors : data.error;
	const first: unknown = Array.isArray(error) ? error[0] : error;
	const message = withMessage.safeParse(first).data;
	return shortened(message ?? (typeof first === 'string' ? first : JSON.stringify(first)));
}
