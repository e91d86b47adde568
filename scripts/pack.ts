/**
 * `npm run pack -- validate FILE`, `import FILE [--publish]`, `export FILE`: course packs on the command line. Import and export use the
 * server's database, from the same environment variables as the server. A database in a folder can have one program at a time.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { findDocumentFindings } from '@parley/catalogue/documents';
import { isPackFile, PACK_LIMITS, readPack, unzipPack, zipPack } from '@parley/catalogue/pack';
import { openCoursePacks } from '../sync-server/src/authoring/command-line.ts';

const USAGE = `npm run pack -- validate PACK           says what is wrong with a pack: a ZIP file, or a folder
npm run pack -- import PACK [--publish] imports it as drafts, or so that learners see it
npm run pack -- export FILE.zip         writes all content of the server
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { publish: { type: 'boolean', default: false } },
});
const [command, path] = positionals;
process.exitCode = await run();

async function run(): Promise<number> {
  if (path === undefined || command === undefined) return explain();
  switch (command) {
    case 'validate':
      return validate(readBytes(path));
    case 'import': {
      const pack = readBytes(path);
      const packs = await openCoursePacks(process.env);
      try {
        const result = await packs.import(null, pack, { publish: values.publish });
        if (result.status === 'refused') return printProblems(result.problems);
        process.stdout.write(`Imported: ${result.changed} changed, ${result.published} published.\n`);
        return 0;
      } finally {
        await packs.close();
      }
    }
    case 'export': {
      const packs = await openCoursePacks(process.env);
      try {
        writeFileSync(path, await packs.export(null));
        return 0;
      } finally {
        await packs.close();
      }
    }
    default:
      return explain();
  }
}

function explain(): number {
  process.stderr.write(USAGE);
  return 2;
}

function validate(pack: Uint8Array): number {
  const unzipped = unzipPack(pack);
  if (!unzipped.ok) return printProblems(unzipped.problems);
  const { contents, problems, fileById } = readPack(unzipped.files);
  const findings = contents.flatMap((content) =>
    findDocumentFindings(content).map(({ severity, message }) => ({
      severity,
      file: fileById.get(content.id) ?? '',
      line: null,
      message,
    })),
  );
  for (const { file, message } of findings.filter(({ severity }) => severity === 'advice'))
    process.stdout.write(`${file}: advice: ${message}\n`);
  return printProblems([...problems, ...findings.filter(({ severity }) => severity === 'error')]);
}

function printProblems(problems: readonly { file: string; line: number | null; message: string }[]): number {
  for (const { file, line, message } of problems)
    process.stderr.write(
      `${[file, line].filter((part) => part !== '' && part !== null).join(':')}${file === '' ? '' : ': '}${message}\n`,
    );
  if (problems.length === 0) process.stdout.write('The pack has no mistakes.\n');
  return problems.length === 0 ? 0 : 1;
}

/** A folder is packed first. Only the files of a pack are read from it. */
function readBytes(from: string): Uint8Array {
  if (!statSync(from).isDirectory()) {
    if (statSync(from).size > PACK_LIMITS.bytes) throw new Error(`${from} is too large for a pack.`);
    return readFileSync(from);
  }
  const files = readdirSync(from, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter(isPackFile);
  return zipPack(new Map(files.map((file) => [file, readFileSync(join(from, file))])));
}
