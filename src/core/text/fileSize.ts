/** Bytes as people read them, and back. */
const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** `812 B`, `1.2 MB`; thousands, as disks are sold. */
export function fileSize(bytes: number): string {
  const unit = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const amount = bytes / 1000 ** unit;
  return `${unit === 0 || amount >= 100 ? Math.round(amount) : amount.toFixed(1)} ${UNITS[unit]}`;
}

/** Parses `20GB`, `500 MB`, `0`. Returns null if the text is not a size. */
export function bytesOf(text: string): number | null {
  const [, amount, unit = 'B'] = /^(\d{1,9}(?:\.\d{1,3})?) ?([kMGT]?B)?$/i.exec(text.trim()) ?? [];
  const power = UNITS.findIndex((name) => name.toLowerCase() === unit.toLowerCase());
  return amount === undefined || power < 0 ? null : Math.round(Number(amount) * 1000 ** power);
}
