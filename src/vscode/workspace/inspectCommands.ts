/** Commands that show something, or take it along: the next prompt, a dry run, what the machine lacks, the log, exports, clones. */
import * as vscode from 'vscode';
import { isShortKey } from '../../core/guard/knownSecrets.ts';
import { findFailure } from '../../shared/errors.ts';
import { setting } from '../settings/read.ts';
import { given } from '../window/command.ts';
import type { HostContext } from '../window/context.ts';
import type { JobFiles } from '../window/permittedFiles.ts';
import { failureText, registerCommands } from '../window/report.ts';
import type { World } from '../window/world.ts';
import { plainWords } from '../words/plainWords.ts';

const texts = (): Promise<typeof import('../window/inspectTexts.ts')> => import('../window/inspectTexts.ts');
const takeAlong = (): Promise<typeof import('./exportCommands.ts')> => import('./exportCommands.ts');

export function registerInspectCommands(context: HostContext, world: World): vscode.Disposable {
  const { engine, log } = context;
  const { documents, handle, key, load } = world;
  return registerCommands(log, {
    'autonomous.previewNextPrompt': async (target) => {
      const job = typeof target === 'string' ? target : given(target, 'jobId');
      const next = await preview(engine.files, typeof job === 'string' ? job : null);
      if (next !== null) await documents.show('next-prompt.md', (await texts()).requestText(next.describes, next.body));
    },
    'autonomous.dryRun': async (target) => (await import('../job/brief/dryRun.ts')).dryRun(world, target),
    'autonomous.doctor': async () => {
      const [workspaces, { account }] = await Promise.all([load(), handle.settings()]);
      const provider = setting.provider();
      const { chosenModels } = await import('../settings/defaults.ts');
      const source = provider === 'anthropic' ? key.source : 'unneeded';
      const found = { source, short: isShortKey(key.value ?? '') } as const;
      const filed = { key: found, provider, models: chosenModels(provider), account };
      const { diagnosticsText } = await texts();
      await documents.read('doctor.md', diagnosticsText(await workspaces.at(handle.place()).diagnose(filed)));
    },
    'autonomous.reopenInWsl': async () => (await import('../window/wsl.ts')).reopenInWsl(),
    'autonomous.restoreAttempt': async (target) => (await takeAlong()).restoreAttempt(context, world, target),
    'autonomous.cleanUpClones': async () => (await takeAlong()).cleanUpClones(context, world),
    'autonomous.export': async () => (await takeAlong()).exportRecord(world),
    'autonomous.import': async () => (await takeAlong()).importRecord(context, world),
    'autonomous.showLog': async () => log.show(),
    'autonomous.copyDiagnostics': async () => {
      const { diagnostics } = await import('./diagnostics.ts');
      await vscode.env.clipboard.writeText(diagnostics(context, world));
      void vscode.window.showInformationMessage(vscode.l10n.t('Copied. The text contains no brief, path or key.'));
    },
  });
}

type Preview = Awaited<ReturnType<JobFiles['preview']>>;

/** Returns null if no request is pending, which is shown. */
async function preview(files: JobFiles, jobId: string | null): Promise<Preview | null> {
  try {
    return await files.preview(jobId);
  } catch (thrown) {
    if (findFailure(thrown)?.code !== 'NOT_PERMITTED') throw thrown;
    void vscode.window.showInformationMessage(plainWords(failureText(thrown)));
    return null;
  }
}
