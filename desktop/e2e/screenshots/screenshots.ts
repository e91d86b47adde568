/**
 * `npm run screenshots -- [PART …] [--language L …] [--width N] [--height N] [--docs]`: plays through the app with real servers and takes
 * every screen in English and Arabic, in light and in dark. `out/screenshots/<width>/index.html` then shows each picture beside the one of
 * the run before, the changed ones first. With `--docs`, the pictures of the documentation are retaken instead.
 */
import { access, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Camera, createCamera, variantsOf } from './camera.ts';
import { writeComparison } from './comparison-page.ts';
import { takeCustomerScreenshots } from './customer-screenshots.ts';
import { takeLearnerScreenshots } from './learner-screenshots.ts';
import { takeSessionScreenshots } from './session-screenshots.ts';
import { takeSyncScreenshots } from './sync-screenshots.ts';

const ROOT_DIR = fileURLToPath(new URL('../../..', import.meta.url));
const DOCS_DIR = join(ROOT_DIR, 'docs/screenshots');
const LANGUAGES = ['en', 'ar'] as const;

const PARTS: Readonly<Record<string, (camera: Camera) => Promise<void>>> = {
  learner: async (camera) => {
    for (const language of camera.languages) await takeLearnerScreenshots(camera, language);
  },
  sessions: takeSessionScreenshots,
  customer: takeCustomerScreenshots,
  sync: takeSyncScreenshots,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    language: { type: 'string', multiple: true, default: [...LANGUAGES] },
    width: { type: 'string', default: '1280' },
    height: { type: 'string', default: '860' },
    docs: { type: 'boolean', default: false },
  },
});
const languages = values.docs ? ['en'] : values.language;
const folder = join(ROOT_DIR, 'out/screenshots', values.docs ? 'docs' : values.width);
const taken = join(folder, 'taken');
await rm(taken, { recursive: true, force: true });
const camera = await createCamera({
  folder: taken,
  languages,
  size: { width: Number(values.width), height: Number(values.height) },
  isFullPage: !values.docs,
});
const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
for (const name of names) {
  const takePart = PARTS[name];
  if (takePart === undefined)
    throw new Error(`There is no part “${name}”; there are ${Object.keys(PARTS).join(', ')}.`);
  console.log(`Taking the screenshots of: ${name}`);
  await takePart(camera);
}
if (values.docs) await replaceDocs();
else {
  await keepRun();
  console.log(`Compare them in ${await writeComparison(folder, LANGUAGES)}`);
}
process.exit(0);

/** The new screenshots become the newest run; the one they replace becomes the run before. */
async function keepRun(): Promise<void> {
  for (const variant of variantsOf(languages))
    for (const picture of await readdir(join(taken, variant))) {
      const newest = join(folder, 'after', variant, picture);
      const former = join(folder, 'before', variant, picture);
      for (const file of [newest, former]) await mkdir(dirname(file), { recursive: true });
      if (await exists(newest)) await rename(newest, former);
      await rename(join(taken, variant, picture), newest);
    }
  await rm(taken, { recursive: true });
}

/** The documentation shows pictures in light colours, and those named `…-dark`. */
async function replaceDocs(): Promise<void> {
  for (const path of await readdir(DOCS_DIR, { recursive: true })) {
    const [, name, dark] = /([^/\\]+?)(-dark)?\.png$/.exec(path) ?? [];
    if (name === undefined) continue;
    const picture = join(taken, dark === undefined ? 'en-light' : 'en-dark', `${name}.png`);
    if (await exists(picture)) await copyFile(picture, join(DOCS_DIR, path));
    else console.warn(`${path} was not taken.`);
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
