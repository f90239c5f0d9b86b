/** What changed between two snapshots, in words for whoever does not see the board. Pure. */
import type { PanelView } from '../../src/shared/panelView.ts';
import { visible } from './format.ts';
import { plural, t } from './l10n.ts';
import { laneLabel } from './labels.ts';

/** More at once are counted, not named. */
const NAMED = 3;

export function changes(before: PanelView, after: PanelView): string[] {
  const lanes = new Map(before.cards.map(({ id, lane }) => [id, lane]));
  const moved = after.cards.filter(({ id, lane }) => lanes.has(id) && lanes.get(id) !== lane);
  const known = new Set(before.approvals.map(({ id }) => id));
  const asked = after.approvals.filter(({ id }) => !known.has(id));
  const questions =
    asked.length > NAMED
      ? [plural(asked.length, { one: '{0} new question waits for you.', other: '{0} new questions wait for you.' })]
      : asked.map(({ question }) => t('A question waits for you: {0}', visible(question)));
  const moves =
    moved.length > NAMED
      ? [plural(moved.length, { one: '{0} card moved.', other: '{0} cards moved.' })]
      : moved.map(({ name, lane }) => t('{0}: {1}.', visible(name), laneLabel(lane)));
  return [...questions, ...moves];
}
