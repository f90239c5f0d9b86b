/** A few lines at the bottom of a terminal that are redrawn in place, and lines that scroll above them. */
import { stripVTControlCharacters } from 'node:util';
import { displayWidth } from '../../text/width.ts';
import type { TerminalIo } from '../world.ts';

const ESCAPE = '\u001b[';
const ERASE_LINE = `${ESCAPE}K`;
const ERASE_BELOW = `${ESCAPE}J`;
/** Synchronized output: terminals that support it show the whole frame in one step; the others ignore it. */
const BEGIN = `${ESCAPE}?2026h`;
const END = `${ESCAPE}?2026l`;

export interface Screen {
  /** Writes permanent lines above the region, and the region below them, in one write. An empty `region` draws none. */
  draw(scrolled: readonly string[], region: readonly string[]): void;
}

/**
 * Each line is overwritten and then cleared to its end, so that the region does not flicker. No region line may be wider than the terminal. After a
 * resize, the rows into which the old lines wrapped are counted again.
 */
export function createScreen(io: Pick<TerminalIo, 'out' | 'columns'>): Screen {
  let drawn: readonly string[] = [];

  const rowsBelowFirst = (): number => {
    const rows = drawn.map((line) => Math.max(1, Math.ceil(displayWidth(stripVTControlCharacters(line)) / io.columns)));
    return rows.reduce((sum, each) => sum + each, 0) - 1;
  };

  return {
    draw(scrolled, region) {
      if (scrolled.length === 0 && region.length === drawn.length && region.every((line, at) => line === drawn[at]))
        return;
      const up = drawn.length === 0 ? 0 : rowsBelowFirst();
      const home = drawn.length === 0 ? '' : `\r${up > 0 ? `${ESCAPE}${up}A` : ''}`;
      const stays = scrolled.map((line) => `${line}${ERASE_LINE}\n`).join('');
      const frame = region.map((line) => `${line}${ERASE_LINE}`).join('\n');
      drawn = [...region];
      io.out(`${BEGIN}${home}${stays}${frame}${ERASE_BELOW}${END}`);
    },
  };
}
