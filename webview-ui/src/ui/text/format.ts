/** Numbers and times as people read them. */
import { codeOf, INVISIBLE } from '../../../../src/shared/invisibleCharacters.ts';
import { language, t } from '../../store/l10n.ts';

const usdFormat = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
const smallUsdFormat = new Intl.NumberFormat(language, {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
});
const countFormat = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 });

/** `$1.84`; below a cent four digits, so that a little is not nothing. */
export function usd(amount: number): string {
  return amount !== 0 && Math.abs(amount) < 0.01 ? smallUsdFormat.format(amount) : usdFormat.format(amount);
}

/** `12.3K` */
export function count(amount: number): string {
  return countFormat.format(amount);
}

const percentFormat = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });

/** `75%` of 0.75 */
export function percent(share: number): string {
  return percentFormat.format(share);
}

/** `1h 04m`, `3m 20s`, `8s` */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const pad = (part: number) => String(part).padStart(2, '0');
  if (seconds >= 3600) return t('{0}h {1}m', Math.floor(seconds / 3600), pad(Math.floor(seconds / 60) % 60));
  if (seconds >= 60) return t('{0}m {1}s', Math.floor(seconds / 60), pad(seconds % 60));
  return t('{0}s', seconds);
}

const timeFormat = new Intl.DateTimeFormat(language, { timeStyle: 'short' });
const dateFormat = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

/** An ISO time in the reader's time zone, without the date if it is today. An invalid time is returned unchanged. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return visible(iso);
  return (at.toDateString() === new Date().toDateString() ? timeFormat : dateFormat).format(at);
}

const MINUTES_SECONDS = 600;
const DAY_SECONDS = 86_400;
const secondFormat = new Intl.DateTimeFormat(language, { timeStyle: 'medium' });
const dayFormat = new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' });

/** Epoch seconds at a chart's axis that spans so many: the time of the day, or the day. */
export function tickTime(at: number, span: number): string {
  const format = span < MINUTES_SECONDS ? secondFormat : span < 2 * DAY_SECONDS ? timeFormat : dayFormat;
  return format.format(new Date(at * 1000));
}

/** `in_progress` → `in progress` */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Joins letters of some scripts and the parts of an emoji. In other places it is an invisible character. */
const JOINS = /[\u200c\u200d]/;
const JOINED = /[^\p{Cc}\p{Cf} -\u024f]$/u;
/** Selects the style of an emoji or an ideograph. In other places, and after another selector, it is an invisible character. */
const HIDDEN_SELECTOR = /(?<=^|\p{Script=Latin}|\s|[\ufe00-\ufe0f])[\ufe00-\ufe0f]/gu;

/** A text of a model or a repository, with unseen characters written out: `‹U+202E›`. */
export function visible(text: string): string {
  const written = (character: string): string => `‹U+${codeOf(character)}›`;
  return text
    .replace(INVISIBLE, (character, at: number) => {
      if (character === '\n' || character === '\t') return character;
      return JOINS.test(character) && JOINED.test(text.slice(Math.max(0, at - 2), at)) ? character : written(character);
    })
    .replace(HIDDEN_SELECTOR, written);
}
