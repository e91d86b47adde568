/** Draws SVG pictures as PNG. It runs in a worker thread, which is terminated when a drawing takes too long. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

/** In pixels, the usual size for link previews. A narrower drawing keeps its shape. */
const PICTURE_WIDTH = 1_200;
const PICTURE_HEIGHT = 630;

interface Drawing {
  svg: string;
  width: number;
}

const initialised = initWasm(readFileSync(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
/** The built server keeps the same folders. */
const titleFont = readFileSync(
  new URL(
    '../../../../node_modules/@fontsource-variable/literata/files/literata-latin-opsz-normal.woff2',
    import.meta.url,
  ),
);

void initialised.then(() => parentPort?.postMessage('ready'));
parentPort?.on('message', (drawing: Drawing) => parentPort?.postMessage(draw(drawing)));

/** Null when the picture cannot be drawn. */
function draw({ svg, width }: Drawing): Uint8Array | null {
  try {
    const drawing = new Resvg(frame(svg), {
      fitTo: { mode: 'width', value: width },
      ...(svg.includes('<text') ? { font: { fontBuffers: [titleFont] } } : {}),
    });
    // A photo that cannot be decoded is left blank.
    return drawing.getBBox() === undefined ? null : drawing.render().asPng();
  } catch {
    return null;
  }
}

/** Fills the frame and crops what extends beyond it. */
function frame(svg: string): string {
  const measured = new Resvg(svg);
  const { width, height } = measured;
  measured.free();
  // A nested drawing must not contain a photo.
  if (width === PICTURE_WIDTH && height === PICTURE_HEIGHT) return svg;
  const scale = Math.max(PICTURE_WIDTH / width, PICTURE_HEIGHT / height);
  const [left, top] = [(PICTURE_WIDTH - width * scale) / 2, (PICTURE_HEIGHT - height * scale) / 2];
  const inner = `<image href="data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}" x="${left}" y="${top}" width="${width * scale}" height="${height * scale}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${PICTURE_WIDTH}" height="${PICTURE_HEIGHT}" viewBox="0 0 ${PICTURE_WIDTH} ${PICTURE_HEIGHT}">${inner}</svg>`;
}
