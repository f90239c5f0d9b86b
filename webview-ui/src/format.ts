/** Numbers and times as people read them. */

const usdFormat = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const smallUsdFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 4,
});
const countFormat = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

/** `$1.84`; below a cent four digits, so that a little is not nothing. */
export function usd(amount: number): string {
  return amount > 0 && amount < 0.01 ? smallUsdFormat.format(amount) : usdFormat.format(amount);
}

/** `12.3K` */
export function count(amount: number): string {
  return countFormat.format(amount);
}

/** `1h 04m`, `3m 20s`, `8s` */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const pad = (part: number) => String(part).padStart(2, '0');
  if (seconds >= 3600) return `${Math.floor(seconds / 3600)}h ${pad(Math.floor(seconds / 60) % 60)}m`;
  if (seconds >= 60) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  return `${seconds}s`;
}

/** An ISO time in the reader's own zone; unreadable ones as they are. */
export function localTime(iso: string): string {
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? iso : at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** `in_progress` → `in progress` */
export function words(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Characters that no font shows and that can turn a text around: controls but tab and line feed, bidi marks, zero-width space. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g;

/** A text of a model or a repository, with unseen characters written out: `‹U+202E›`. */
export function visible(text: string): string {
  return text.replace(UNSEEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `‹U+${code}›`;
  });
}
