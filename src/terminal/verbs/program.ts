/** The verbs and their options. Each verb's own code is loaded when it is called, so that looking something up starts fast. */
import { Command, CommanderError } from 'commander';
import { type Act, type CommonOptions, makeContext } from '../screen/context.ts';
import type { TerminalDeps } from '../screen/world.ts';
import { usage } from '../text/parse.ts';
import { addAgentVerbs } from './agentVerbs.ts';
import { addApiVerbs } from './apiVerbs.ts';
import { addBriefVerbs } from './briefVerbs.ts';
import { addCompletionVerbs } from './completionVerbs.ts';
import { addEvalVerbs } from './evalVerbs.ts';
import { addJobVerbs } from './jobVerbs.ts';
import { addModelVerbs } from './modelVerbs.ts';
import { addProjectVerbs } from './projectVerbs.ts';
import { addStateVerbs } from './stateVerbs.ts';
import { addTaskVerbs } from './taskVerbs.ts';

/** Builds the verbs with their options. `ended` gets the exit code of the verb that ran. */
export function makeProgram(deps: TerminalDeps, ended: (code: number) => void): Command {
  const program = new Command('autonomous');
  const act: Act = async (verb) => ended(await verb(makeContext(deps, program.opts<CommonOptions>())));
  program
    .description('Takes a brief and works on it for hours: plans, implements, reviews, asks at the gates, merges.')
    .version(deps.version)
    .option('--json', 'print JSON (with a version) instead of text')
    .option('--project-dir <dir>', 'the workspace; default: $AUTONOMOUS_PROJECT_DIR or here')
    .option('--jobs-dir <dir>', 'the folder for the clones of jobs')
    .option('--allow-host <host>', 'a host that steps of tasks may fetch from; may be repeated', repeated)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => deps.io.out(text),
      // Errors are thrown as CommanderError and shown like every other failure.
      writeErr: () => undefined,
      getOutHelpWidth: () => (deps.io.isTTY ? deps.io.columns : 100),
      getOutHasColors: () => false,
    })
    .exitOverride();
  addBriefVerbs(program, act);
  addEvalVerbs(program, act);
  addJobVerbs(program, act);
  addProjectVerbs(program, act);
  addTaskVerbs(program, act);
  addAgentVerbs(program, act);
  addModelVerbs(program, act);
  addApiVerbs(program, act);
  addStateVerbs(program, act);
  addCompletionVerbs(program, act);
  return program;
}

export async function runProgram(argv: readonly string[], deps: TerminalDeps): Promise<number> {
  let code = 0;
  const program = makeProgram(deps, (ended) => {
    code = ended;
  });
  if (argv.length === 0) {
    program.outputHelp();
    return 0;
  }
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    if (thrown.code === 'commander.help') throw usage('missing subcommand', helpHint(argv));
    const unknown = thrown.code === 'commander.unknownCommand';
    throw usage(thrown.message.replace(/^error: /, ''), helpHint(unknown ? [] : argv));
  }
}

const repeated = (host: string, before: readonly string[] = []): string[] => [...before, host];

function helpHint(argv: readonly string[]): string {
  const verb = argv.find((word) => /^[a-z][a-z-]*$/.test(word));
  return `See \`autonomous ${verb === undefined ? '' : `${verb} `}--help\`.`;
}
