/** Writes a page that shows each picture of the newest run beside the previous one, changed ones first. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchPanelBrowser } from '../panel/open-panel.ts';
import { THEMES, variantsOf } from './camera.ts';

interface Comparison {
  name: string;
  variant: string;
  /** Share of all pixels, from 0 to 1; null for a picture that is new. */
  changedShare: number | null;
  /** Data URLs. The previous picture is included only if something has changed. */
  before: string | null;
  after: string;
}

/** Returns the file. */
export async function writeComparison(folder: string, languages: readonly string[]): Promise<string> {
  const browser = await launchPanelBrowser();
  const comparisons: Comparison[] = [];
  try {
    const page = await browser.newPage();
    for (const variant of variantsOf(languages))
      for (const file of await readdir(join(folder, 'after', variant)).catch(() => [])) {
        const after = await readFile(join(folder, 'after', variant, file));
        const before = await readFile(join(folder, 'before', variant, file)).catch(() => null);
        const pictures = { before: before?.toString('base64') ?? null, after: after.toString('base64') };
        comparisons.push({
          name: file.replace('.png', ''),
          variant,
          ...(await page.evaluate(comparePictures, pictures)),
        });
      }
  } finally {
    await browser.close();
  }
  const path = join(folder, 'index.html');
  await writeFile(path, comparisonPage(comparisons, languages));
  return path;
}

/** Runs in the browser, which can decode pictures. */
async function comparePictures(pictures: { before: string | null; after: string }) {
  /** Smoothed edges differ by less than this between two runs. */
  const NOTICEABLE = 12;
  const MAX_WEBP_SIDE = 16_383;
  const load = async (base64: string): Promise<ImageBitmap> =>
    createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
  const draw = (bitmap: ImageBitmap, width: number, height: number) => {
    const canvas = new OffscreenCanvas(width, height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    if (context === null) throw new Error('The browser cannot draw.');
    context.drawImage(bitmap, 0, 0);
    return { canvas, pixels: context.getImageData(0, 0, width, height).data };
  };
  const toUrl = async (canvas: OffscreenCanvas): Promise<string> => {
    const type = Math.max(canvas.width, canvas.height) > MAX_WEBP_SIDE ? 'image/png' : 'image/webp';
    const reader = new FileReader();
    reader.readAsDataURL(await canvas.convertToBlob({ type, quality: 0.85 }));
    await new Promise((resolve) => reader.addEventListener('load', resolve));
    return typeof reader.result === 'string' ? reader.result : '';
  };
  const newest = await load(pictures.after);
  const after = await toUrl(draw(newest, newest.width, newest.height).canvas);
  if (pictures.before === null) return { changedShare: null, before: null, after };
  if (pictures.before === pictures.after) return { changedShare: 0, before: null, after };
  const former = await load(pictures.before);
  const [width, height] = [Math.max(newest.width, former.width), Math.max(newest.height, former.height)];
  const [one, two] = [draw(former, width, height).pixels, draw(newest, width, height).pixels];
  let changed = 0;
  for (let at = 0; at < one.length; at += 4)
    if ([0, 1, 2, 3].some((channel) => Math.abs((one[at + channel] ?? 0) - (two[at + channel] ?? 0)) > NOTICEABLE))
      changed += 1;
  const before = changed === 0 ? null : await toUrl(draw(former, former.width, former.height).canvas);
  return { changedShare: changed / (width * height), before, after };
}

const shareText = ({ changedShare }: Comparison): string => {
  if (changedShare === null) return 'new';
  if (changedShare === 0) return 'unchanged';
  return changedShare < 0.001 ? 'less than 0.1 % changed' : `${(changedShare * 100).toFixed(1)} % changed`;
};

const figure = (caption: string, url: string): string =>
  `<figure><figcaption>${caption}</figcaption><img src="${url}" alt=""></figure>`;

const article = (comparison: Comparison): string => {
  const { name, variant, before, after } = comparison;
  const figures = before === null ? figure('Now', after) : figure('Before', before) + figure('Now', after);
  return `<article class="${variant.replace('-', ' ')}"><h2>${name} <small>${variant}, ${shareText(comparison)}</small></h2><div>${figures}</div></article>`;
};

const filter = (group: string, choices: readonly string[]): string =>
  ['all', ...choices]
    .map(
      (value) =>
        `<label><input type="radio" name="${group}" value="${value}"${value === 'all' ? ' checked' : ''}> ${value}</label>`,
    )
    .join(' ');

const hideOthers = (group: string, choices: readonly string[]): string =>
  choices
    .map((value) => `body:has([name=${group}][value="${value}"]:checked) article:not(.${value}) { display: none }`)
    .join('\n');

function comparisonPage(comparisons: readonly Comparison[], languages: readonly string[]): string {
  const rank = ({ changedShare }: Comparison): number => changedShare ?? 1;
  const sorted = comparisons.toSorted((a, b) => rank(b) - rank(a) || a.name.localeCompare(b.name));
  const changed = comparisons.filter(({ changedShare }) => changedShare !== 0).length;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Screenshots, before and now</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 1.5rem }
header { position: sticky; top: 0; padding: 0.5rem 0; background: Canvas }
article { content-visibility: auto; contain-intrinsic-height: 40rem; margin-block: 2rem }
small { font-weight: normal }
div { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: start }
figure { margin: 0 }
img { width: 100%; border: 1px solid GrayText }
${hideOthers('language', languages)}
${hideOthers('theme', THEMES)}
</style>
<header><p>${comparisons.length} pictures, ${changed} of them changed or new.</p><p>Language: ${filter('language', languages)}</p><p>Theme: ${filter('theme', THEMES)}</p></header>
${sorted.map(article).join('\n')}
</html>
`;
}
