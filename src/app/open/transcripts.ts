/** Reads the transcripts in a workspace's folder. */
import { nodeFiles } from '../../adapters/files/files.ts';
import { openTranscript } from '../../adapters/files/transcripts.ts';
import { findKey } from '../../adapters/log/key.ts';
import { lineSeal } from '../../adapters/log/seal.ts';
import type { TranscriptEntry } from '../../engine/session/ports.ts';
import { transcriptText } from '../../engine/session/transcript/transcriptText.ts';
import type { WorkspacePaths } from '../../engine/state/workspacePaths.ts';

/** The journal of a session; empty if there is none, or if this installation did not write it. */
export async function transcriptEntries(
  places: WorkspacePaths,
  sessionId: number,
): Promise<readonly TranscriptEntry[]> {
  const key = await findKey(places.configDir, nodeFiles);
  if (key === null) return [];
  const transcript = await openTranscript({
    stateDir: places.stateDir,
    sessionId,
    epoch: 0,
    ops: nodeFiles,
    seal: lineSeal(key, 'transcript'),
  });
  return transcript.entries;
}

/** As Markdown. Throws NOT_FOUND if this installation wrote no transcript. */
export const readTranscript = async (places: WorkspacePaths, sessionId: number): Promise<string> =>
  transcriptText(sessionId, await transcriptEntries(places, sessionId));
