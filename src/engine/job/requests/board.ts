/** Handles the steward's requests about features and notes. */

import { reordered } from '../../../core/job/plan/reorder.ts';
import { MAX_RETRIES } from '../../../core/job/reduce/features.ts';
import { need, phaseFeatures } from '../../../core/state/rows.ts';
import { checkExecutors } from './brief.ts';
import type { EngineRequests, RequestPorts } from './ports.ts';

export function boardRequests(ports: RequestPorts) {
  const { store } = ports;
  return {
    setFeature: async ({ featureId, status, reason }) => {
      await store.commit({ type: 'feature_set', id: featureId, status, by: 'steward', reason });
      return null;
    },
    chooseExecutors: async ({ featureId, executors }) => {
      const feature = need(store.state, 'features', featureId);
      const job = feature.job_id === null ? null : need(store.state, 'jobs', feature.job_id);
      const names = executors === null ? null : [...new Set(executors)];
      if (job !== null) checkExecutors(await ports.agents(), names ?? [], job.options);
      await store.commit({ type: 'feature_executors_chosen', id: featureId, executors: names, by: 'steward' });
      return null;
    },
    retryFeature: async ({ featureId, feedback }) => {
      await store.commit({ type: 'feature_retried', id: featureId, by: 'steward', feedback });
      const feature = need(store.state, 'features', featureId);
      const job = feature.job_id === null ? undefined : store.state.jobs.get(feature.job_id);
      const status = feature.status === 'failed' ? 'failed' : 'pending';
      return { status, retryCount: feature.retry_count, maxRetries: job?.options.maxRetries ?? MAX_RETRIES };
    },
    reorderFeature: async ({ featureId, position }) => {
      const feature = need(store.state, 'features', featureId);
      const rows = feature.phase_id === null ? [] : phaseFeatures(store.state, feature.phase_id);
      for (const moved of reordered(rows, featureId, position))
        await store.commit({ type: 'feature_reordered', ...moved });
      return null;
    },
    addNote: async ({ featureId, category, content, file, line, anchor, supersedes, by }) => {
      const [id = 0] = store.nextIds('notes', 1);
      const before = supersedes === null ? undefined : store.state.notes.get(supersedes);
      // A note that only moves, or gets another scope, is still its author's.
      const { created_by, created_by_session } =
        before?.content === content ? before : { created_by: by, created_by_session: null };
      await store.commit({
        type: 'note_added',
        note: { id, feature_id: featureId, category, content, created_by_session, created_by, file, line, anchor },
        supersedes,
      });
      return { noteId: id };
    },
    resolveNote: async ({ noteId }) => {
      await store.commit({ type: 'note_resolved', id: noteId });
      return null;
    },
  } satisfies Partial<EngineRequests>;
}
