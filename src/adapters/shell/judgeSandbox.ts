/** Whether commands can be confined on this machine. */
import type { SandboxState } from '../../engine/session/commandPorts.ts';
import type { Diagnostic } from '../../shared/diagnostic.ts';
import { bad } from './diagnostic.ts';
import type { ConfinedContext } from './sandbox/confined.ts';
import { probeEscapes } from './sandbox/escapeProbe.ts';
import { lookForTools, type SandboxTools } from './sandbox/sandboxTools.ts';

export interface ProbeReport {
  readonly state: SandboxState;
  readonly diagnostics: readonly Diagnostic[];
}

export interface Judged extends ProbeReport {
  readonly tools: SandboxTools | null;
}

function stateOf(diagnostics: readonly Diagnostic[]): SandboxState {
  const missing = diagnostics.filter((finding) => !finding.ok).map((finding) => `${finding.detail}: ${finding.fix}`);
  return missing.length === 0
    ? { mode: 'sandboxed', detail: `commands are confined; ${diagnostics.length} checks passed` }
    : { mode: 'unconfined', detail: 'commands cannot be confined here: each needs approval', missing };
}

const SWITCHED_OFF: SandboxState = {
  mode: 'unconfined',
  detail: 'the sandbox is switched off: each command needs approval',
  missing: [],
};

/** `confine`: false if the user wants no sandbox. */
export async function judgeSandbox(confine: boolean, context: ConfinedContext): Promise<Judged> {
  if (!confine) return { tools: null, diagnostics: [], state: SWITCHED_OFF };
  const { tools, diagnostics } = lookForTools(context.environment);
  if (tools === null) return { tools, diagnostics, state: stateOf(diagnostics) };
  const probes = await probeEscapes({ ...context, tools });
  // A missing answer proves nothing.
  const all = [
    ...diagnostics,
    ...(probes.length > 0 ? probes : [bad('sandbox-start', 'the sandbox was not probed', 'try again')]),
  ];
  return { tools, diagnostics: all, state: stateOf(all) };
}
