/** Exports and imports a workspace, over its files. */
import { artifactName, isArtifactName, openArtifacts } from '../../adapters/files/artifacts.ts';
import { nodeFiles } from '../../adapters/files/files.ts';
import { keptAttempts, keptHash } from '../../adapters/files/keptWork.ts';
import { openTranscript } from '../../adapters/files/transcripts.ts';
import { loadKey } from '../../adapters/log/key.ts';
import { lineSeal } from '../../adapters/log/seal.ts';
import { readRecord, writeRecord } from '../../adapters/record/recordFiles.ts';
import { secretValues } from '../../core/guard/knownSecrets.ts';
import { withoutSecrets } from '../../core/guard/secrets.ts';
import { checkProjectName } from '../../engine/project/names.ts';
import type { Store } from '../../engine/state/store.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';
import { exportRecord } from '../../engine/workspace/record/exportRecord.ts';
import { importRecord } from '../../engine/workspace/record/importRecord.ts';
import type { ExportedRecord } from '../../shared/workspace/record.ts';
import type { ReadOnlyWorkspace } from '../open/readOnlyWorkspace.ts';
import { filesOfEpoch } from '../open/stateFiles.ts';
import { lookAtState } from '../open/store.ts';
import { transcriptEntries } from '../open/transcripts.ts';

/** `jobId`: null for all jobs. `target` is absolute and must not exist; a name ending in .tar.gz gives an archive. */
export async function exportTo(
  readOnly: ReadOnlyWorkspace,
  target: string,
  jobId: string | null,
): Promise<ExportedRecord> {
  const { places, env } = readOnly;
  const store = await lookAtState(readOnly);
  await store.close();
  const ports = {
    artifacts: { ...openArtifacts(places.stateDir, nodeFiles), isName: isArtifactName, nameOf: artifactName },
    kept: { ...keptAttempts(places.stateDir, nodeFiles), hashOf: keptHash },
    transcript: (id: number) => transcriptEntries(places, id),
    write: (files: Parameters<typeof writeRecord>[1]) => writeRecord(target, files),
  };
  const clean = withoutSecrets(() => secretValues(env));
  return { target, ...(await exportRecord(ports, { state: store.state, clean }, jobId)) };
}

export async function importFrom(places: WorkspacePaths, store: Store, path: string) {
  const { stateDir, configDir } = places;
  const ops = filesOfEpoch(stateDir, store.epoch);
  const seal = lineSeal(await loadKey(configDir, nodeFiles), 'transcript');
  const ports = {
    read: readRecord,
    artifacts: openArtifacts(stateDir, ops),
    kept: { ...keptAttempts(stateDir, ops), hashOf: keptHash },
    openTranscript: (sessionId: number) => openTranscript({ stateDir, sessionId, epoch: store.epoch, ops, seal }),
    checkProjectName,
  };
  return importRecord(ports, store, path);
}
