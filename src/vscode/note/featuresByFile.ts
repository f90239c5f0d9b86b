/** Finds the features that changed a file: asks git once for each finished attempt. */

import { messageOf } from '../../shared/errors.ts';
import type { FeatureRow } from '../../shared/job/rows.ts';
import type { HostContext } from '../window/context.ts';

/** With `among`, only these features are checked. */
export type FeaturesByFile = (file: string, among?: (feature: FeatureRow) => boolean) => Promise<readonly FeatureRow[]>;

export function featuresByFile(context: HostContext): FeaturesByFile {
  // Keyed by the git range, which means the same in every state. Attempt ids do not: each state numbers its own.
  const pathsOf = new Map<string, Promise<ReadonlySet<string>>>();
  const changed = (job: string, from: string, to: string): Promise<ReadonlySet<string>> => {
    const key = JSON.stringify([context.engine.projectDir, job, from, to]);
    const known = pathsOf.get(key);
    if (known !== undefined) return known;
    const asked = context.engine.files.changedPaths(job, from, to).then(
      (paths) => new Set(paths),
      (thrown: unknown) => {
        // The clone was removed: do not offer its features.
        context.log.debug(messageOf(thrown));
        return new Set<string>();
      },
    );
    pathsOf.set(key, asked);
    return asked;
  };
  return async (file, among = () => true) => {
    // Start git only if this window may run commands: the folders in a viewed state are untrusted.
    if (context.engine.blocker !== null) return [];
    const { attempts, features } = context.engine.state;
    const found = new Map<number, FeatureRow>();
    for (const row of attempts.values()) {
      const feature = row.feature_id === null ? undefined : features.get(row.feature_id);
      if (feature === undefined || row.status !== 'succeeded' || row.commit === null) continue;
      if (found.has(feature.id) || !among(feature)) continue;
      if ((await changed(row.job_id, row.base_commit, row.commit)).has(file)) found.set(feature.id, feature);
    }
    return [...found.values()];
  };
}
