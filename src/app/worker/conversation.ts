/** Opens a project's conversation over real files; loaded with the first message. */
import { join } from 'node:path';
import { openConversation } from '../../adapters/files/conversationFile.ts';
import { skillFiles } from '../../adapters/files/skillFiles.ts';
import { DEFAULT_OPTIONS } from '../../core/job/defaults.ts';
import { projectConversation } from '../../engine/project/talk/conversation.ts';
import type { ConversationPorts, ConversationSettings, ModelOf } from '../../engine/project/talk/conversationPorts.ts';
import type { OwnerCalls, ProjectConversation, WorkerStart } from '../../engine/project/threadPorts.ts';
import type { LineSeal } from '../../engine/state/storePorts.ts';
import { projectMemory, skillFolders } from '../open/memories.ts';
import { filesOfEpoch, shippedIn } from '../open/stateFiles.ts';

const MODELS: ModelOf = {
  project: DEFAULT_OPTIONS.models.worker,
  main: DEFAULT_OPTIONS.models.worker,
  subagent: DEFAULT_OPTIONS.models.worker,
  summarizer: DEFAULT_OPTIONS.models.summarizer,
};

type Given = Pick<
  ConversationPorts,
  'store' | 'clock' | 'owner' | 'openTranscript' | 'gatewayFetch' | 'openTree' | 'live' | 'problem'
> & {
  readonly start: Pick<WorkerStart, 'projectId' | 'projectDir' | 'stateDir' | 'configDir' | 'epoch'>;
  readonly seal: LineSeal;
  readonly settings?: ConversationSettings;
  readonly conversed: OwnerCalls['conversed'];
};

export function openProjectConversation(given: Given): ProjectConversation {
  const { start, seal, settings = {}, conversed, ...ports } = given;
  const { projectId, projectDir, stateDir, configDir, epoch } = start;
  const home = join(stateDir, 'projects', projectId);
  const ops = filesOfEpoch(stateDir, epoch);
  const shipped = shippedIn(stateDir, given.problem);
  return projectConversation(
    {
      ...ports,
      projectId,
      workdir: projectDir,
      settings,
      models: MODELS,
      memory: projectMemory(stateDir, projectId, ops, shipped),
      skills: skillFiles(skillFolders(stateDir, configDir, projectId), shipped),
      openJournal: () =>
        openConversation({ folder: join(home, 'session'), projectId, epoch, ops, seal, clock: given.clock }),
    },
    conversed,
  );
}
