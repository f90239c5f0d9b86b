/** The page's texts in the reader's language. English texts are the keys; the host adds the bundle of the editor's language to the page. */

type Value = string | number;

/** Absent outside a page: then everything is English. */
const body = typeof document === 'undefined' ? null : document.body;

const bundle = readBundle(body?.dataset['texts']);

/** The locale of texts, numbers and times: the reader's language if there is a bundle for it. */
export const language = bundle.size === 0 ? 'en' : document.documentElement.lang;

const forms = new Intl.PluralRules(language);

function readBundle(json: string | undefined): ReadonlyMap<string, unknown> {
  if (json === undefined || json === '') return new Map();
  const read: unknown = JSON.parse(json);
  return new Map(read !== null && typeof read === 'object' ? Object.entries(read) : []);
}

function known(key: string): string | null {
  const text = bundle.get(key);
  return typeof text === 'string' && text !== '' ? text : null;
}

function filled(text: string, values: readonly Value[]): string {
  return text.replace(/\{(\d+)\}/g, (hole, at: string) => String(values[Number(at)] ?? hole));
}

/** `t('{0} of {1} done', 3, 7)`. The English text is the key: `scripts/l10n.mjs` collects it. */
export function t(text: string, ...values: readonly Value[]): string {
  return filled(known(text) ?? text, values);
}

/**
 * `plural(n, { one: '{0} note', other: '{0} notes' })`; `{0}` is the number. A bundle has one line for each plural form of its language, under the
 * key `{0} notes#one`, `{0} notes#few`, …
 */
export function plural(
  amount: number,
  english: { readonly one: string; readonly other: string },
  ...more: readonly Value[]
): string {
  const text = known(`${english.other}#${forms.select(amount)}`) ?? (amount === 1 ? english.one : english.other);
  return filled(text, [amount, ...more]);
}
