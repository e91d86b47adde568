/** `parley-server pack`: checks, imports and exports course packs. */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { findDocumentFindings } from '@parley/catalogue/documents';
import { loadPack, type PackSource, readPack } from '@parley/catalogue/pack';
import { explanationText } from '@parley/domain';
import { and, eq, ne, or, sql } from 'drizzle-orm';
import { type CoursePacks, findVideoProblem } from '../authoring/index.ts';
import type { Config } from '../compose/config/config.ts';
import { openCoursePacks } from '../compose/open-course-packs.ts';
import type { Database } from '../db/client.ts';
import { contentDocuments } from '../db/content-tables.ts';
import { receiveVideo } from '../media/index.ts';
import { CommandFailure, type Output, withMigratedDatabase } from './command.ts';
import { describeProblems, importAfterPreview, onOneLine } from './import-pack.ts';
import { writeWholeFile } from './write-whole-file.ts';

/** Needs no server: references to content outside the pack are checked when it is imported. */
export async function validatePack(path: string, output: Output): Promise<void> {
  const source = await findPack(path);
  const folder = await mkdtemp(join(tmpdir(), 'parley-pack-'));
  try {
    const loaded = await loadPack(source, {
      receive: async ({ name }, content) => {
        const received = await receiveVideo(folder, content);
        if (received.ok) await rm(join(folder, received.video.partialId));
        return findVideoProblem(name, received);
      },
    });
    if (!loaded.ok) throw new CommandFailure(describeProblems(loaded.problems));
    const { contents, problems, fileById } = readPack(loaded.files, loaded.media);
    const findings = contents.flatMap((content) =>
      findDocumentFindings(content).map((finding) => ({
        ...finding,
        file: fileById.get(content.id) ?? '',
        line: null,
      })),
    );
    for (const finding of findings.filter(({ severity }) => severity === 'advice'))
      output.print(onOneLine(`${finding.file}: advice: ${explanationText(finding)}`));
    const all = [...problems, ...findings.filter(({ severity }) => severity === 'error')];
    if (all.length > 0) throw new CommandFailure(describeProblems(all));
    output.print('The pack has no mistakes.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface ImportFlags {
  path: string;
  publish: boolean;
  /** Whether the changes are applied without asking the operator. */
  agrees: boolean;
}

export async function importPack(
  config: Config,
  { path, publish, agrees }: ImportFlags,
  output: Output,
): Promise<void> {
  const source = await findPack(path);
  await withMigratedDatabase(config, async (database) => {
    const packs = await openCoursePacks(config, database);
    const confirm = agrees ? async () => true : confirmAtTerminal;
    await importAfterPreview(packs, source, { publish, confirm }, output);
  });
}

/** Asks the person at the terminal. */
async function confirmAtTerminal(question: string): Promise<boolean> {
  const { stdin: input, stdout } = process;
  if (!input.isTTY || !stdout.isTTY)
    throw new CommandFailure('Nothing was imported: add --yes to import this without being asked.');
  const terminal = createInterface({ input, output: stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(`${question} [y/N] `)).trim());
  } finally {
    terminal.close();
  }
}

export interface ExportFlags {
  file: string;
  /** A course by its title or id, with everything that it needs; undefined for everything. */
  course: string | undefined;
}

export async function exportPack(config: Config, flags: ExportFlags, output: Output): Promise<void> {
  await withMigratedDatabase(config, async (database) => {
    const packs = await openCoursePacks(config, database);
    await writePack({ db: database.db, packs }, flags, output);
  });
}

export async function writePack(
  { db, packs }: { db: Database; packs: Pick<CoursePacks, 'export'> },
  { file, course }: ExportFlags,
  output: Output,
): Promise<void> {
  const found = course === undefined ? null : await findCourse(db, course);
  await writeWholeFile(file, () => packs.export(found && [found]));
  const contents =
    found === null ? 'all content of the server' : `the course “${found.title}” and all that belongs to it`;
  output.print(`${file} contains ${contents}.`);
}

async function findCourse(db: Database, course: string): Promise<{ kind: 'course'; id: string; title: string }> {
  const { id, kind, title, state } = contentDocuments;
  const isNamed = or(eq(sql`${id}::text`, course.toLowerCase()), eq(sql`lower(${title})`, course.toLowerCase()));
  const found = await db
    .select({ id, title })
    .from(contentDocuments)
    .where(and(eq(kind, 'course'), ne(state, 'deleted'), isNamed));
  const [only] = found;
  if (only === undefined)
    throw new CommandFailure(`There is no course “${course}”. Its title is in the admin panel, under Courses.`);
  if (found.length > 1) {
    const ids = found.map((each) => each.id).join('\n');
    throw new CommandFailure(`Several courses have this title. Name one of them by its id:\n${ids}`);
  }
  return { kind: 'course', ...only };
}

async function findPack(path: string): Promise<PackSource> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new CommandFailure(`There is no file or folder called ${path}.`);
  return found.isDirectory() ? { folder: path } : { zip: path };
}
