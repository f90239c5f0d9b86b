/** Colors, which never carry meaning alone: every line has the same meaning without them. */

export type Tone = 'plain' | 'strong' | 'faint' | 'good' | 'bad' | 'warning';

export interface Line {
  readonly text: string;
  readonly tone: Tone;
}

const CODES: Readonly<Record<Exclude<Tone, 'plain'>, readonly [number, number]>> = {
  strong: [1, 22],
  faint: [2, 22],
  good: [32, 39],
  bad: [31, 39],
  warning: [33, 39],
};

/** Visible text in a tone; the text itself when there is no colour. */
export type Paint = (text: string, tone: Tone) => string;

export function painter(color: boolean): Paint {
  return (text, tone) => {
    if (!color || tone === 'plain' || text === '') return text;
    const [on, off] = CODES[tone];
    return `\u001b[${on}m${text}\u001b[${off}m`;
  };
}
