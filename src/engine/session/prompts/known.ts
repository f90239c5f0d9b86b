/** Leaves out of a message what the texts of its conversation state already. */
import type { LimitLeft } from '../../../core/money/limitsLeft.ts';
import { LIMITS, limitsSection } from './limitsSection.ts';
import { installedSections } from './sections.ts';
import { planSection } from './worker.ts';

/** The sections about the setup, and with `plan` the one about the plan, that these texts do not hold as they are now. */
export function changedSections(
  job: Parameters<typeof installedSections>[0],
  plan: readonly string[],
  texts: readonly string[],
): readonly string[] {
  const sections = [...installedSections(job), planSection(plan)];
  return sections.filter((section) => !texts.some((text) => text.includes(section)));
}

/** The limits, or none if the last ones in these texts are the same. */
export function changedLimits(limits: readonly LimitLeft[], texts: readonly string[]): readonly LimitLeft[] {
  const last = texts.findLast((text) => text.includes(LIMITS));
  return last?.includes(limitsSection(limits)) === true ? [] : limits;
}
