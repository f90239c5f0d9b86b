/** Commands that show something: the next prompt, a dry run, what the machine lacks, the log. */
import * as vscode from 'vscode';
import { failure } from '../../shared/errors.ts';
import type { HostContext } from '../context.ts';
import type { Finding, Rehearsal } from '../engine/backend.ts';
import { registerCommands } from '../report.ts';
import { briefDefaults } from '../settings/read.ts';
import type { World } from '../world.ts';

const usd = (amount: number): string => `$${amount.toFixed(amount < 1 ? 4 : 2)}`;

export function registerLookCommands(context: HostContext, world: World): vscode.Disposable {
  const { engine, log } = context;
  const { documents, handle, load } = world;
  return registerCommands(log, {
    'autonomous.previewNextPrompt': async (target) => {
      const named = typeof target === 'object' && target !== null && 'jobId' in target ? String(target.jobId) : null;
      const { describes, body } = await engine.files.preview(named);
      log.info(`preview: ${describes}`);
      await documents.show('next-prompt.json', JSON.stringify(JSON.parse(body), null, 2));
    },
    'autonomous.dryRun': async () => {
      const brief = await vscode.window.showInputBox({
        title: vscode.l10n.t('Dry Run'),
        prompt: vscode.l10n.t('The brief to rehearse on a simulation. Nothing is changed and nothing is paid.'),
        ignoreFocusOut: true,
      });
      if (brief === undefined || brief.trim() === '') return;
      const stop = new AbortController();
      const progress = { location: vscode.ProgressLocation.Notification, cancellable: true };
      const run = await vscode.window.withProgress(
        { ...progress, title: vscode.l10n.t('Rehearsing on a simulation') },
        async (_, cancelled) => {
          cancelled.onCancellationRequested(() => stop.abort(failure('ABORTED', 'the dry run was stopped')));
          const settings = await handle.settings();
          return (await load()).dryRun(settings, { ...briefDefaults('simulated'), brief }, stop.signal);
        },
      );
      await documents.show('dry-run.md', rehearsalText(brief, run));
    },
    'autonomous.doctor': async () => {
      const findings = await (await load()).diagnose((await handle.settings()).place);
      await documents.show('doctor.md', findingsText(findings));
    },
    'autonomous.showLog': async () => log.show(),
    'autonomous.copyDiagnostics': async () => {
      await vscode.env.clipboard.writeText(diagnostics(context, world));
      void vscode.window.showInformationMessage(vscode.l10n.t('Copied. It holds no brief, path or key.'));
    },
  });
}

function rehearsalText(brief: string, run: Rehearsal): string {
  const rows = run.steps.map(
    ({ text, costUsd }) => `| ${text.replaceAll(/[|\n\r]/g, ' ')} | ${costUsd === 0 ? '' : usd(costUsd)} |`,
  );
  return [
    `# ${vscode.l10n.t('Dry run on a simulation')}`,
    vscode.l10n.t('Nothing was changed and no model was called.'),
    brief.replaceAll(/^/gm, '> '),
    [`| ${vscode.l10n.t('Step')} | ${vscode.l10n.t('Cost')} |`, '| --- | ---: |', ...rows].join('\n'),
    vscode.l10n.t(
      'Simulated cost {0}; a real run is expected between {1} and {2}.',
      usd(run.costUsd),
      usd(run.lowUsd),
      usd(run.highUsd),
    ),
    run.note,
  ]
    .join('\n\n')
    .concat('\n');
}

function findingsText(findings: readonly Finding[]): string {
  const lines = findings.map(({ name, ok, detail, fix }) => {
    const mark = ok ? vscode.l10n.t('ok') : vscode.l10n.t('MISSING');
    return `* **${name}** ${mark}: ${detail}${fix === null ? '' : `\n  * ${fix}`}`;
  });
  return `# ${vscode.l10n.t('What this machine has')}\n\n${lines.join('\n')}\n`;
}

/** Facts for a report of a fault; nothing that names the person or the work. */
function diagnostics({ engine, extension }: HostContext, { key }: World): string {
  const { state, current, hindrance } = engine;
  const counts = Object.fromEntries(
    (['jobs', 'phases', 'features', 'attempts', 'sessions', 'approvals', 'spends'] as const).map((name) => [
      name,
      state[name].size,
    ]),
  );
  const facts = {
    version: String((extension.extension.packageJSON as { readonly version?: unknown }).version),
    editor: vscode.version,
    node: process.versions.node,
    platform: `${process.platform}-${process.arch}`,
    remote: vscode.env.remoteName ?? null,
    mode: current === null ? 'none' : current.owner ? 'owner' : 'viewer',
    hindrance,
    key: key.source,
    lastSeq: state.meta.last_seq,
    counts,
    jobs: [...state.jobs.values()].map(({ status, options }) => `${status} (${options.provider})`),
  };
  return JSON.stringify(facts, null, 2);
}
