/** The verb that compares models, agents and settings. */
import { Command, CommanderError } from 'commander';
import { parseArgv } from '../../core/guard/commandPolicy.ts';
import type { EvalOptions, NamedVariant, VariantOptions } from '../eval/evalVerb.ts';
import type { Act } from '../screen/context.ts';
import { usage } from '../text/parse.ts';
import { visibleLine } from '../text/visible.ts';
import { append, setupOptions, workOptions } from './briefVerbs.ts';

interface GivenOptions extends EvalOptions {
  /** Values of each `--variant`. */
  readonly variant?: readonly string[];
}

const variantOptions = (command: Command): Command =>
  workOptions(command).option('--run-budget <usd>', 'cost limit of one run, in US dollars (default: 2)');

export function addEvalVerbs(program: Command, act: Act): void {
  const command = program
    .command('eval')
    .description('compare models, agents and settings on tasks of this repository')
    .option('--from-history <number>', 'number of tasks to take from the newest commits')
    .option('--at <commit>', 'branch, tag or commit where the history starts (default: the checked-out commit)')
    .option('--tasks <dir>', 'take the tasks from a folder instead')
    .option('--variant <variant>', 'NAME or "NAME: OPTIONS" of `run` to compare; may be repeated', append)
    .option('--repeat <number>', 'runs of each variant on each task (default: 1)')
    .option('--budget <usd>', 'cost limit of all runs together, in US dollars')
    .option('--test <command>', 'the command that runs the tests (default: npm test, if there is one)')
    .option('--parallel <number>', 'runs at a time (default: 1)')
    .option('--batch-prices', 'send the model calls in batches: half the price, each answered within a day')
    .option('--page <file>', 'also write the results as an HTML page')
    .option('--csv <file>', 'also write the results as a table for a spreadsheet');
  variantOptions(setupOptions(command)).action(({ variant, ...options }: GivenOptions) =>
    act(async (context) => {
      const { evalVerb } = await import('../eval/evalVerb.ts');
      return evalVerb(context, options, variantsOf(variant ?? ['default'], options));
    }),
  );
}

/** The options of a variant replace those of the whole eval. */
function variantsOf(texts: readonly string[], common: VariantOptions): readonly NamedVariant[] {
  const variants = texts.map((text) => {
    const colon = text.indexOf(':');
    const name = (colon < 0 ? text : text.slice(0, colon)).trim();
    const words = colon < 0 ? [] : wordsOf(text.slice(colon + 1).trim(), text);
    if (name === '' || name.length > 60)
      throw usage(`--variant "${visibleLine(text)}" has no name`, 'Write "NAME: OPTIONS".');
    return { name, options: { ...common, ...parsed(words, text) } };
  });
  const twice = variants.find(({ name }, index) => variants.findIndex((one) => one.name === name) < index);
  if (twice !== undefined) throw usage(`two variants have the name ${visibleLine(twice.name)}`);
  return variants;
}

function wordsOf(options: string, text: string): readonly string[] {
  const words = options === '' ? [] : parseArgv(`run ${options}`);
  if (words === null)
    throw usage(
      `the options of --variant "${visibleLine(text)}" are not readable`,
      'Write plain words, or words in quotes.',
    );
  return options === '' ? [] : words.slice(1);
}

function parsed(words: readonly string[], text: string): VariantOptions {
  const command = variantOptions(new Command('variant'))
    .configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
    .helpOption(false)
    .exitOverride();
  try {
    return command.parse([...words], { from: 'user' }).opts<VariantOptions>();
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    throw usage(
      `--variant "${visibleLine(text)}": ${thrown.message.replace(/^error: /, '')}`,
      'See `autonomous eval --help`.',
    );
  }
}
