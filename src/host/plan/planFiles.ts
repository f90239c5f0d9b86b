/** Plans as files of a scheme of their own: the newest one of a job can be saved, which is an edit of the plan; older ones are read. */
import * as vscode from 'vscode';
import { begunFeatures, editablePlan, samePlan, withoutIds } from '../../core/planEditing.ts';
import { planId } from '../../core/planId.ts';
import { need } from '../../core/rows.ts';
import { asFailure } from '../../shared/errors.ts';
import type { HostContext } from '../context.ts';
import { plainWords } from '../plainWords.ts';
import type { PlanFault, ReadPlan } from './planDocument.ts';

const PLAN_SCHEME = 'autonomous-plan';

interface PlanFile {
  readonly jobId: string;
  /** null: the newest, which can be saved. */
  readonly version: number | null;
}

export function planUri(jobId: string, version: number | null = null): vscode.Uri {
  const name = version === null ? 'plan.yaml' : `plan-${version}.yaml`;
  return vscode.Uri.from({ scheme: PLAN_SCHEME, path: `/${jobId}/${name}` });
}

/** null: no plan of ours. */
export function planFileOf(uri: vscode.Uri): PlanFile | null {
  const found = uri.scheme === PLAN_SCHEME ? /^\/([^/]+)\/plan(?:-(\d+))?\.yaml$/.exec(uri.path) : null;
  const jobId = found?.[1];
  if (jobId === undefined) return null;
  return { jobId, version: found?.[2] === undefined ? null : Number(found[2]) };
}

/** YAML is loaded with the first plan that is opened, not with the extension. */
async function documents(): Promise<typeof import('./planDocument.ts')> {
  return import('./planDocument.ts');
}

export async function checkPlan(text: string): Promise<ReadPlan> {
  return (await documents()).readPlan(text);
}

export function diagnosticsOf(faults: readonly PlanFault[]): vscode.Diagnostic[] {
  return faults.map(({ message, line, column, endLine, endColumn }) => {
    const range = new vscode.Range(line, column, endLine, endColumn);
    const diagnostic = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Error);
    diagnostic.source = 'Autonomous';
    return diagnostic;
  });
}

async function textOf(context: HostContext, file: PlanFile): Promise<string> {
  const { planYaml } = await documents();
  // A document that was open when the window was loaded again comes before anything else.
  if (!context.engine.state.jobs.has(file.jobId)) await context.engine.look();
  const { state } = context.engine;
  const job = state.jobs.get(file.jobId);
  if (job === undefined) throw vscode.FileSystemError.FileNotFound(planUri(file.jobId, file.version));
  // What is compared are words: a version before the plan was accepted has no ids.
  if (file.version !== null) return planYaml(withoutIds(need(state, 'plans', planId(job.id, file.version)).plan), '');
  const plan = editablePlan(state, job);
  if (plan === null) throw vscode.FileSystemError.FileNotFound(planUri(job.id));
  const head = job.plan_accepted
    ? vscode.l10n.t(
        'Saving changes the plan of the running job. Parts with an id are the ones on the board: keep the id when you\nreword or move them, delete what should be skipped, write new parts without an id. What is begun keeps its text.',
      )
    : vscode.l10n.t('Saving makes a new version of the plan. Accept it, or reject it with what should be different.');
  return planYaml(plan, head, begunFeatures(state, job.id));
}

/** Writing a plan that is no plan fails, and the document stays as it is, unsaved: nothing that was typed is lost. */
async function save(context: HostContext, uri: vscode.Uri, content: Uint8Array): Promise<void> {
  const file = planFileOf(uri);
  if (file === null || file.version !== null) throw vscode.FileSystemError.NoPermissions(uri);
  const read = await checkPlan(new TextDecoder().decode(content));
  if (read.outcome === 'faults') {
    const [fault] = read.faults;
    throw vscode.FileSystemError.Unavailable(
      plainWords(vscode.l10n.t('This is no plan that can be carried out: {0}', fault?.message ?? '')),
    );
  }
  await context.engine.open();
  const job = need(context.engine.state, 'jobs', file.jobId);
  const before = editablePlan(context.engine.state, job);
  if (before !== null && samePlan(before, read.plan)) return;
  try {
    await context.engine.wish('editPlan', { jobId: file.jobId, plan: read.plan });
  } catch (thrown) {
    // The editor shows this beside the document that it could not save.
    throw vscode.FileSystemError.Unavailable(plainWords(asFailure(thrown).message));
  }
}

export interface PlanFiles extends vscode.FileSystemProvider, vscode.Disposable {
  /** It was saved: what stands there now has the ids of its new parts, so it is to be read again. */
  saved(uri: vscode.Uri): void;
}

/** More than any window saves one version: saves count within a stamp. */
const SAVES = 10_000;

export function planFiles(context: HostContext): PlanFiles {
  const saves = new Map<string, number>();
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  const versions = new Map<string, number>();
  const watching = context.engine.onDidChange(() => {
    for (const [jobId, version] of versions) {
      const now = stamp(context, { jobId, version: null });
      if (now === version) continue;
      versions.set(jobId, now);
      changed.fire([{ type: vscode.FileChangeType.Changed, uri: planUri(jobId) }]);
    }
  });
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  return {
    onDidChangeFile: changed.event,
    watch: (uri) => {
      const file = planFileOf(uri);
      if (file?.version === null) versions.set(file.jobId, stamp(context, file));
      return new vscode.Disposable(() => {
        if (file !== null) versions.delete(file.jobId);
      });
    },
    stat: async (uri) => {
      const file = fileAt(uri);
      const size = new TextEncoder().encode(await textOf(context, file)).length;
      const stat: vscode.FileStat = {
        type: vscode.FileType.File,
        ctime: 0,
        mtime: stamp(context, file) * SAVES + (saves.get(uri.path) ?? 0),
        size,
      };
      return file.version === null ? stat : { ...stat, permissions: vscode.FilePermission.Readonly };
    },
    readFile: async (uri) => new TextEncoder().encode(await textOf(context, fileAt(uri))),
    writeFile: (uri, content) => save(context, uri, content),
    saved: (uri) => {
      saves.set(uri.path, (saves.get(uri.path) ?? 0) + 1);
      changed.fire([{ type: vscode.FileChangeType.Changed, uri }]);
    },
    readDirectory: () => [],
    createDirectory: refuse,
    delete: refuse,
    rename: refuse,
    dispose: () => {
      watching.dispose();
      changed.dispose();
    },
  };
}

function fileAt(uri: vscode.Uri): PlanFile {
  const file = planFileOf(uri);
  if (file === null) throw vscode.FileSystemError.FileNotFound(uri);
  return file;
}

/** Rises with the plan's version and its acceptance; the editor compares it to know whether the file is a newer one. */
function stamp(context: HostContext, { jobId, version }: PlanFile): number {
  if (version !== null) return version;
  const job = context.engine.state.jobs.get(jobId);
  return job === undefined ? 0 : 2 * job.plan_version + (job.plan_accepted ? 1 : 0);
}
