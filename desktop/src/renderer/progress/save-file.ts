/** Saves numbers as CSV and plots as PNG, without a server. */
import { CSV_BYTE_ORDER_MARK, toCsvLine } from '@parley/domain';
import { csvSeparator } from '@parley/i18n';

/** Twice the size on screen, so that a plot stays sharp in a document. */
const PNG_SCALE = 2;
const PNG_PADDING = 16;
/** The properties that a plot gets from the style sheet, copied into the picture, which has none. */
const DRAWN_STYLES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linecap',
  'stroke-linejoin',
  'stroke-dasharray',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'unicode-bidi',
] as const;

export function saveCsv(name: string, rows: readonly (readonly unknown[])[]): void {
  const separator = csvSeparator();
  const lines = rows.map((row) => toCsvLine(row, separator));
  saveFile(`${name}.csv`, new Blob([CSV_BYTE_ORDER_MARK, ...lines], { type: 'text/csv' }));
}

/** Draws every plot of the section as it appears on screen, on the page's background colour. */
export async function savePng(name: string, section: HTMLElement): Promise<void> {
  const plots = [...section.querySelectorAll<SVGSVGElement>('svg[data-plot]')];
  const boxes = plots.map((plot) => plot.getBoundingClientRect());
  const left = Math.min(...boxes.map((box) => box.left));
  const top = Math.min(...boxes.map((box) => box.top));
  const width = Math.max(...boxes.map((box) => box.right)) - left + 2 * PNG_PADDING;
  const height = Math.max(...boxes.map((box) => box.bottom)) - top + 2 * PNG_PADDING;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(width * PNG_SCALE);
  canvas.height = Math.ceil(height * PNG_SCALE);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('this browser cannot draw');
  context.scale(PNG_SCALE, PNG_SCALE);
  context.fillStyle = getComputedStyle(document.body).backgroundColor;
  context.fillRect(0, 0, width, height);
  for (const [index, plot] of plots.entries()) {
    const box = boxes[index];
    if (box === undefined) continue;
    const image = await loadImage(toDataUrl(plot, box));
    context.drawImage(image, box.left - left + PNG_PADDING, box.top - top + PNG_PADDING, box.width, box.height);
  }
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob === null) throw new Error('the picture could not be written');
  saveFile(`${name}.png`, blob);
}

function toDataUrl(plot: SVGSVGElement, { width, height }: DOMRect): string {
  const copy = plot.cloneNode(true) as SVGSVGElement;
  const [shown, copied] = [plot.querySelectorAll<SVGElement>('*'), copy.querySelectorAll<SVGElement>('*')];
  for (const [index, element] of [...copied].entries()) {
    const original = shown[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const property of DRAWN_STYLES) element.setAttribute(property, style.getPropertyValue(property));
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('width', String(width * PNG_SCALE));
  copy.setAttribute('height', String(height * PNG_SCALE));
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
}

function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  return image.decode().then(() => image);
}

function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // The download has begun when the next task runs.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
