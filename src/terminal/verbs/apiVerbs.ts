/** The verb that serves programs. */
import type { Command } from 'commander';
import type { Act } from '../screen/context.ts';
import type { ServeOptions } from '../workspace/serve.ts';

const append = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export function addApiVerbs(program: Command, act: Act): void {
  program
    .command('serve')
    .description('serve tasks over HTTP and WebSocket, on this machine only')
    .option('--port <number>', 'the port, or 0 for a free one', '8420')
    .option(
      '--allow-origin <origin>',
      'an origin whose pages may ask, e.g. https://example.org; again for the next',
      append,
    )
    .option('--print-token', 'print the token that clients need instead')
    .action((options: ServeOptions) =>
      act(async (context) => (await import('../workspace/serve.ts')).serveVerb(context, options)),
    );
}
