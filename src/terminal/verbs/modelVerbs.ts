/** Verbs about the user's connections to model servers. */
import type { Command } from 'commander';
import type { AddOptions } from '../model/addConnection.ts';
import type { CheckOptions } from '../model/checkModel.ts';
import type { RefreshOptions } from '../model/refreshModels.ts';
import type { Act } from '../screen/context.ts';

export function addModelVerbs(program: Command, act: Act): void {
  const models = program.command('models').description('connections to model servers, and their models');
  models
    .command('list', { isDefault: true })
    .description('list the connections, and the presets')
    .action(() => act(async (context) => (await import('../model/listModels.ts')).listVerb(context)));
  models
    .command('show <connection>')
    .description('show a connection: server, key, and the known prices of its models')
    .action((name: string) => act(async (context) => (await import('../model/listModels.ts')).showVerb(context, name)));
  models
    .command('add <name>')
    .description('add a connection, or change what is given of one; the name of a preset fills in the rest')
    .option('--preset <preset>', 'the preset, if the connection has another name')
    .option('--wire <wire>', 'the protocol: messages, chat, responses, gemini or vertex')
    .option('--base-url <url>', 'the address of the server')
    .option('--auth <how>', 'the header of the key: x-api-key, bearer, api-key, x-goog-api-key, sigv4 (AWS) or none')
    .option('--key-env <variable>', 'the variable of the environment that holds the key')
    .option('--key-command <command>', 'a command that prints the key')
    .option('--client-cert <file>', 'a client certificate for the server (PEM)')
    .option('--client-key <file>', 'the key of the client certificate (PEM, without a password)')
    .option('--header <header>', '"Name: value", sent with each request; may be repeated', append)
    .option('--free', 'state that its calls cost nothing')
    .option('--price <model=rates>', 'USD per million tokens: model=input/output; may be repeated', append)
    .option('--window <model=tokens>', 'the context of a model; may be repeated', append)
    .action((name: string, options: AddOptions) =>
      act(async (context) => (await import('../model/addConnection.ts')).addVerb(context, name, options)),
    );
  models
    .command('check [model]')
    .description('check a connection or one of its models: key, server, price and context, without a billed call')
    .option('--all', 'all connections')
    .option('--report', 'add what a report of a fault needs, without secrets')
    .action((model: string | undefined, options: CheckOptions) =>
      act(async (context) => (await import('../model/checkModel.ts')).checkVerb(context, model, options)),
    );
  models
    .command('refresh [connection]')
    .description('read again what the servers state of their models, and show which prices changed')
    .option('--lower', 'take prices that fell')
    .action((name: string | undefined, options: RefreshOptions) =>
      act(async (context) => (await import('../model/refreshModels.ts')).refreshVerb(context, name, options)),
    );
  models
    .command('remove <connection>')
    .description('remove a connection')
    .action((name: string) =>
      act(async (context) => (await import('../model/addConnection.ts')).removeVerb(context, name)),
    );
}

const append = (value: string, before: readonly string[] = []): string[] => [...before, value];
