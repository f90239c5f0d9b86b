/** What the loops of a project's jobs work with: real git, commands and files. */
import type { MessagePort } from 'node:worker_threads';
import { openArtifacts } from '../../adapters/files/artifacts.ts';
import { nodeFiles } from '../../adapters/files/files.ts';
import { keptAttempts } from '../../adapters/files/keptWork.ts';
import { detectSetup, setupGap } from '../../adapters/files/setupCommands.ts';
import { openTranscript } from '../../adapters/files/transcripts.ts';
import { gatewayFetch } from '../../adapters/gateway/door/gatewayClient.ts';
import { createGit } from '../../adapters/git/gitPort.ts';
import { ownEnvironment } from '../../adapters/platform/platform.ts';
import { findRipgrep } from '../../adapters/platform/ripgrep.ts';
import { freshPlaces } from '../../adapters/shell/freshPlaces.ts';
import { openTree } from '../../adapters/tree/treeFiles.ts';
import { tooLargeText } from '../../core/repository/tooLarge.ts';
import type { LoopPorts } from '../../engine/job/context.ts';
import { VERIFY_TIMEOUT_MS } from '../../engine/job/work/commands.ts';
import type { OwnerCalls, WorkerStart } from '../../engine/project/threadPorts.ts';
import type { LineSeal } from '../../engine/state/storePorts.ts';
import { filesOfEpoch } from '../open/stateFiles.ts';
import { projectTexts } from './projectText.ts';
import { openPlace } from './sessionDirectory.ts';

interface Given extends Pick<LoopPorts, 'store' | 'commands' | 'agents' | 'clock'> {
  readonly start: WorkerStart;
  readonly owner: OwnerCalls;
  readonly models: MessagePort;
  readonly seal: LineSeal;
}

export function loopPorts({ start, owner, models, store, commands, agents, seal, clock }: Given): LoopPorts {
  const ripgrep = findRipgrep(ownEnvironment());
  return {
    store,
    git: createGit({
      clock,
      env: ownEnvironment(),
      onSnapshotTooLarge: ({ branch }, files) => owner.problem(`${branch}: ${tooLargeText(files) ?? ''}`),
      onStateLeftOut: ({ branch }, [path = '', ...more]) =>
        owner.problem(
          `${branch}: ${JSON.stringify(path)}${more.length > 0 ? ` and ${more.length} more` : ''} left out of the commit: no job changes state of Autonomous`,
        ),
    }),
    commands,
    agents,
    artifacts: openArtifacts(start.stateDir, nodeFiles),
    kept: keptAttempts(start.stateDir, filesOfEpoch(start.stateDir, start.epoch)),
    freshPlaces,
    clock,
    projectDir: start.workspaceDir,
    verifyTimeoutMs: start.verifyTimeoutMs ?? VERIFY_TIMEOUT_MS,
    openTranscript: (sessionId) =>
      openTranscript({ stateDir: start.stateDir, sessionId, epoch: start.epoch, ops: nodeFiles, seal }),
    gatewayFetch: (sessionId) => gatewayFetch(models, sessionId),
    openTree: (tree) => openTree(tree, ripgrep),
    openPlace: (options) => openPlace({ ...options, clock }),
    detectSetup,
    setupGap,
    projectBody: projectTexts(start, store.state, (text) => owner.problem(text)),
    routingRecord: (provider) => owner.routingRecord(provider),
    live: (line) => owner.live(line),
  };
}
