/** `parley-server pack`: checks, imports and exports course packs. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { findDocumentFindings } from '@parley/catalogue/documents';
import { loadPack, type PackProblem, type PackSource, readPack } from '@parley/catalogue/pack';
import { explanationText } from '@parley/domain';
import { findVideoProblem } from '../authoring/index.ts';
import type { Config } from '../compose/config/config.ts';
import { openCoursePacks } from '../compose/open-course-packs.ts';
import { receiveVideo } from '../media/index.ts';
import { CommandFailure, type Output, withMigratedDatabase } from './command.ts';

/** Needs no server: what a pack refers to outside itself is checked when it is imported. */
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
    if (!loaded.ok) throw new CommandFailure(describe(loaded.problems));
    const { contents, problems, fileById } = readPack(loaded.files, loaded.media);
    const findings = contents.flatMap((content) =>
      findDocumentFindings(content).map((finding) => ({
        ...finding,
        file: fileById.get(content.id) ?? '',
        line: null,
      })),
    );
    for (const finding of findings.filter(({ severity }) => severity === 'advice'))
      output.print(`${finding.file}: advice: ${explanationText(finding)}`);
    const all = [...problems, ...findings.filter(({ severity }) => severity === 'error')];
    if (all.length > 0) throw new CommandFailure(describe(all));
    output.print('The pack has no mistakes.');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function importPack(
  config: Config,
  { path, publish }: { path: string; publish: boolean },
  output: Output,
): Promise<void> {
  const source = await findPack(path);
  const result = await withMigratedDatabase(config, async (database) => {
    const packs = await openCoursePacks(config, database);
    return packs.import(null, source, { publish, seen: null });
  });
  if (result.status === 'refused') throw new CommandFailure(describe(result.problems));
  if (result.status === 'outdated') throw new Error('an import without a preview cannot be outdated');
  output.print(`Imported: ${result.changed} changed, ${result.published} published.`);
}

export async function exportPack(config: Config, file: string, output: Output): Promise<void> {
  // A pack that was cut off must not look like one.
  const draft = `${file}.part`;
  await withMigratedDatabase(config, async (database) => {
    const packs = await openCoursePacks(config, database);
    const pack = await packs.export(null);
    await pipeline(pack, createWriteStream(draft));
  });
  await rename(draft, file);
  output.print(`${file} contains all content of the server.`);
}

async function findPack(path: string): Promise<PackSource> {
  const found = await stat(path).catch(() => null);
  if (found === null) throw new CommandFailure(`There is no file or folder called ${path}.`);
  return found.isDirectory() ? { folder: path } : { zip: path };
}

const describe = (problems: readonly PackProblem[]): string =>
  problems
    .map(({ file, line, ...explanation }) => {
      const place = [file, line].filter((part) => part !== '' && part !== null).join(':');
      const text = explanationText(explanation);
      return place === '' ? text : `${place}: ${text}`;
    })
    .join('\n');
