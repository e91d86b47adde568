/**
 * Parses the command line. On failure, each command prints one sentence and exits with a non-zero status. Commands load the modules that only
 * they need, because loading the whole server takes longer than most commands.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import { Email } from '@parley/contract';
import { PRECISIONS } from '@parley/speech-pack/manifest';
import type { Config } from '../compose/config/config.ts';
import { findMissingFolders } from '../compose/config/find-missing-folders.ts';
import { readConfig } from '../compose/config/read-config.ts';
import { readSecretFiles } from '../compose/config/read-secret-files.ts';
import { SECRET_VARIABLES } from '../compose/config/secret-variables.ts';
import { readServerVersion } from '../compose/server-version.ts';
import { backUp, restore } from './backup-commands.ts';
import { checkConfiguration } from './check-configuration.ts';
import { CommandFailure, type Output, pluralize, withDatabase, withMigratedDatabase } from './command.ts';
import { runDoctor } from './doctor/doctor.ts';
import { explainFailure } from './explain-failure.ts';
import { migrate } from './migrate-command.ts';
import type { SpeechPackFlags } from './speech-pack-command.ts';

const INVALID_CONFIGURATION = 2;

const loadAdminCommands = () => import('./admin-commands.ts');
const loadPackCommands = () => import('./pack-commands.ts');

const output: Output = { print: (line) => console.log(line) };

export async function runCli(argv: readonly string[]): Promise<void> {
  const program = new Command('parley-server')
    .description('The sync server of Parley.')
    .version(readServerVersion())
    .showHelpAfterError('(parley-server --help lists the commands)');

  program
    .command('start', { isDefault: true })
    .description('starts the server')
    .option('--new-epoch', 'begins a new epoch after a restore in place, then exits')
    .action(async ({ newEpoch }: { newEpoch?: true }) => {
      const config = readUsableConfiguration();
      if (newEpoch === true) await beginNewEpoch(config);
      else await (await import('../compose/start-server.ts')).startServer(config);
    });
  program
    .command('migrate')
    .description('migrates the database')
    .option('--dry-run', 'only lists the migrations that would run')
    .action(({ dryRun }: { dryRun?: true }) => migrate(readConfiguration(), { isDryRun: dryRun === true }, output));
  program
    .command('check-config')
    .description('reads the environment and prints the resulting configuration, without secrets')
    .action(() => checkConfiguration(readUsableConfiguration(), output));
  program
    .command('doctor')
    .description(
      'checks Node, the folders, the database, the clock, the admins, the mail server, the bucket and the public address',
    )
    .action(() => runDoctor(readConfiguration(), output));
  program
    .command('check-services')
    .description('makes one cheap call of each kind to every configured service')
    .action(runServiceCheck);

  const admin = program
    .command('admin')
    .description('lists the admins, makes a learner an admin, or removes an authenticator app');
  admin
    .command('list')
    .description('lists the admins')
    .action(() =>
      withMigratedDatabase(readConfiguration(), async ({ db }) => (await loadAdminCommands()).listAdmins(db, output)),
    );
  admin
    .command('grant')
    .description('makes a learner an admin')
    .argument('<address>', 'the account’s sign-in address', parseAddress)
    .action((email: string) =>
      withMigratedDatabase(readConfiguration(), async ({ db }) =>
        (await loadAdminCommands()).grantAdmin(db, { email, now: new Date() }, output),
      ),
    );
  admin
    .command('remove-authenticator')
    .description('removes an admin’s authenticator app, after the loss of a phone or a change of SECRET')
    .argument('<address>', 'the account’s sign-in address', parseAddress)
    .action((email: string) =>
      withMigratedDatabase(readConfiguration(), async ({ db }) =>
        (await loadAdminCommands()).removeAuthenticator(db, { email, now: new Date() }, output),
      ),
    );

  program
    .command('backup')
    .description('copies the embedded database to a file; the server must be stopped')
    .argument('<file>', 'the backup to write')
    .action((file: string) => backUp(readConfiguration(), file, output));
  program
    .command('restore')
    .description('replaces the embedded database with a backup; the old database is kept next to it')
    .argument('<file>', 'the backup to read')
    .option('--verify', 'only opens the backup and prints what it contains')
    .action((file: string, { verify }: { verify?: true }) =>
      restore(readConfiguration(), { file, isOnlyVerified: verify === true, now: new Date() }, output),
    );

  const pack = program.command('pack').description('checks, imports and exports course packs');
  pack
    .command('validate')
    .description('lists the mistakes in a pack; needs no server')
    .argument('<pack>', 'a ZIP file or a folder')
    .action(async (path: string) => (await loadPackCommands()).validatePack(path, output));
  pack
    .command('import')
    .description('shows what a pack would change, asks, and imports it as drafts')
    .argument('<pack>', 'a ZIP file or a folder')
    .option('--publish', 'publishes the pack, so that learners see it')
    .option('--yes', 'imports the pack without asking for confirmation, for scripts')
    .action(async (path: string, { publish = false, yes = false }: { publish?: boolean; yes?: boolean }) =>
      (await loadPackCommands()).importPack(readConfiguration(), { path, publish, agrees: yes }, output),
    );
  pack
    .command('export')
    .description('writes all content of the server, or one course, to a ZIP file')
    .argument('<file>', 'the ZIP file to write')
    .option('--course <course>', 'only this course, by its title or id, with all that belongs to it')
    .action(async (file: string, { course }: { course?: string }) =>
      (await loadPackCommands()).exportPack(readConfiguration(), { file, course }, output),
    );

  program
    .command('speech-pack')
    .description('describes a folder with a speech model, so that learners can download the model; needs no server')
    .argument('<folder>', 'the speech-pack folder in DOWNLOADS_DIR, with a model for transformers.js')
    .requiredOption('--name <name>', 'the name that learners see, such as "Moonshine base"')
    .requiredOption('--licence <licence>', 'an SPDX identifier, such as MIT')
    .option('--source <address>', 'a page about the model')
    .addOption(new Option('--precision <precision>', 'how the weights are stored').choices(PRECISIONS).default('q8'))
    .action(async (folder: string, flags: SpeechPackFlags) =>
      (await import('./speech-pack-command.ts')).describeSpeechPack(folder, flags, output),
    );

  const [, , first = '-'] = argv;
  // Otherwise, it would count as an argument of the default command.
  if (!first.startsWith('-') && !['help', ...program.commands.map((command) => command.name())].includes(first))
    program.error(`error: unknown command '${first}'`);
  try {
    await program.parseAsync(argv);
  } catch (error) {
    console.error(explainFailure(error));
    process.exit(1);
  }
}

function parseAddress(text: string): string {
  const parsed = Email.safeParse(text);
  if (!parsed.success) throw new InvalidArgumentError(`${text} is not an e-mail address.`);
  return parsed.data;
}

function readConfiguration(): Config {
  try {
    return readConfig(readSecretFiles(process.env));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(INVALID_CONFIGURATION);
  }
}

/** Also checks what can only be checked on this machine. */
function readUsableConfiguration(): Config {
  const config = readConfiguration();
  const missing = findMissingFolders(config);
  if (missing.length === 0) return config;
  console.error(missing.join('\n'));
  process.exit(INVALID_CONFIGURATION);
}

async function runServiceCheck(): Promise<void> {
  const config = readConfiguration();
  const environment = readSecretFiles(process.env);
  const secrets = SECRET_VARIABLES.flatMap((name) => environment[name] ?? []);
  const { checkServices } = await import('../check-services/index.ts');
  const failures = await checkServices({ config, secrets, print: output.print });
  if (failures > 0) throw new CommandFailure(`${pluralize(failures, 'call')} failed.`);
  // A connection that a service keeps open must not delay the exit.
  process.exit(0);
}

/** For a restore that the server cannot detect, such as a dump that was loaded into the same database. */
async function beginNewEpoch(config: Config): Promise<void> {
  const { startNewEpoch } = await import('../sync/index.ts');
  const reason = await withDatabase(config, startNewEpoch, { migrates: true });
  output.print(JSON.stringify({ msg: 'epoch_changed', reason }));
  process.exit(0);
}
