/**
 * Decides which commits of a job become part of an earlier one, so that its branch has one commit per feature: another attempt at a
 * feature that has a commit already, and a fix that a review, a failed check or the steward asked for.
 */
import type { FeatureRow } from '../../../shared/job/rows.ts';
import { trailersOf } from './commitMessage.ts';

export interface OwnCommit {
  readonly id: string;
  readonly message: string;
  /** Paths that it changes. */
  readonly paths: readonly string[];
}

export interface Fold {
  readonly from: string;
  /** An earlier commit that is kept. */
  readonly into: string;
}

export interface FoldPlan {
  readonly folds: readonly Fold[];
  /** Commits of fixes that belong to no feature. */
  readonly apart: readonly string[];
}

type Features = ReadonlyMap<number, Pick<FeatureRow, 'created_by' | 'phase_id'>>;

/** A kept commit, with the commits that are folded into it. */
interface Staying {
  readonly id: string;
  readonly features: Set<number>;
  readonly phases: Set<number | null>;
  readonly paths: Set<string>;
}

/** Ids of the job's features that the message names. */
export function featuresNamed(message: string, jobId: string): readonly number[] {
  const trailers = trailersOf(message);
  if (!trailers.includes(`Autonomous-Job: ${jobId}`)) return [];
  return trailers.flatMap((line) => {
    const [, id] = /^Autonomous-Feature: (\d+)$/.exec(line) ?? [];
    return id === undefined ? [] : [Number(id)];
  });
}

/** Whether no plan had the feature. */
const isFix = (feature: { readonly created_by: FeatureRow['created_by'] } | undefined): boolean =>
  feature?.created_by === 'review' || feature?.created_by === 'steward';

/** `commits`: oldest first. */
export function foldPlan(jobId: string, features: Features, commits: readonly OwnCommit[]): FoldPlan {
  const folds: Fold[] = [];
  const apart: string[] = [];
  const staying: Staying[] = [];
  for (const { id, message, paths } of commits) {
    const named = featuresNamed(message, jobId);
    const phases = named.map((feature) => features.get(feature)?.phase_id ?? null);
    const isOfFix = named.length > 0 && named.every((feature) => isFix(features.get(feature)));
    const same = staying.find((one) => named.some((feature) => one.features.has(feature)));
    const into = same ?? (isOfFix ? fixedBy(staying, phases, paths) : undefined);
    if (into === undefined) {
      if (isOfFix) apart.push(id);
      staying.push({ id, features: new Set(named), phases: new Set(phases), paths: new Set(paths) });
      continue;
    }
    folds.push({ from: id, into: into.id });
    for (const feature of named) into.features.add(feature);
    for (const path of paths) into.paths.add(path);
  }
  return { folds, apart };
}

/** The newest commit of a feature that changes one of the paths, else the only one of the phase. */
function fixedBy(
  staying: readonly Staying[],
  phases: readonly (number | null)[],
  paths: readonly string[],
): Staying | undefined {
  const features = staying.filter((one) => one.features.size > 0);
  const inPhase = features.filter((one) => phases.some((phase) => one.phases.has(phase)));
  const changed = features.findLast((one) => paths.some((path) => one.paths.has(path)));
  return changed ?? (inPhase.length === 1 ? inPhase[0] : undefined);
}
