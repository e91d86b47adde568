import { afterEach, describe, expect, it } from 'vitest';
import { aPng, toAddress, withWidth } from '../../../test-kit/media/a-png.ts';
import { createCoverPictures } from './cover-picture.ts';
import { createPictureDrawer, type PictureDrawer } from './draw-pictures.ts';

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100" viewBox="0 0 100 100">${content}</svg>`;
const GOOD = svg('<rect width="100" height="100" fill="#2f49c9"/>');
/** Turbulence with this many octaves takes hours. */
const ENDLESS = svg(
  '<filter id="f"><feTurbulence baseFrequency="0.5" numOctaves="1000000"/></filter><rect width="100" height="100" filter="url(#f)"/>',
);

let drawer: PictureDrawer;
afterEach(() => drawer.close());

describe('a picture', () => {
  it.each([
    ['a preview of a link', 1_200, 630],
    ['a list', 600, 315],
  ])('is drawn in the size of %s', async (_use, width, height) => {
    drawer = createPictureDrawer();
    const png = await drawer.draw(GOOD, width);
    if (!Buffer.isBuffer(png)) throw new Error(png);
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height]);
  });

  it('without end is given up, holds nothing else up, and leaves the next picture', { tags: ['slow'] }, async () => {
    drawer = createPictureDrawer({ timeoutMs: 5_000 });
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 20);
    expect(await drawer.draw(ENDLESS, 1_200)).toBe('undrawable');
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(20);
    expect(Buffer.isBuffer(await drawer.draw(GOOD, 1_200))).toBe(true);
  });

  it('that cannot be drawn leaves the next picture', async () => {
    drawer = createPictureDrawer();
    expect(await drawer.draw('hello', 1_200)).toBe('undrawable');
    expect(Buffer.isBuffer(await drawer.draw(GOOD, 1_200))).toBe(true);
  });

  it('is refused while too many wait', async () => {
    drawer = createPictureDrawer({ maxWaiting: 2 });
    const drawn = await Promise.all([GOOD, GOOD, GOOD].map((each) => drawer.draw(each, 1_200)));
    expect(drawn.map((each) => (Buffer.isBuffer(each) ? 'drawn' : each))).toEqual(['drawn', 'drawn', 'busy']);
  });

  it('is drawn once for all concurrent requests, even when it cannot be drawn', async () => {
    drawer = createPictureDrawer();
    let drawings = 0;
    const pictures = createCoverPictures({
      draw: (each) => {
        drawings += 1;
        return drawer.draw(each, 1_200);
      },
      close: () => drawer.close(),
    });
    const cover = `data:image/svg+xml;utf8,${encodeURIComponent('<svg broken')}`;
    for (let round = 0; round < 2; round += 1)
      await Promise.all([1, 2, 3].map(() => pictures.read({ title: '話', coverImage: cover, school: 'Parley' })));
    // The bad picture, and the site's picture in its place.
    expect(drawings).toBe(2);
  });

  it.each([
    ['PNG', toAddress(withWidth(aPng(1, 30_000), 30_000))],
    ['GIF', `data:image/gif;base64,${Buffer.from('GIF89a\xff\xff\xff\xff', 'latin1').toString('base64')}`],
  ])('that would unpack to gigabytes, as a %s, is replaced by the title', async (_format, coverImage) => {
    drawer = createPictureDrawer();
    const drawn: string[] = [];
    const pictures = createCoverPictures({
      draw: (each, width) => {
        drawn.push(each);
        return drawer.draw(each.includes(coverImage) ? GOOD : each, width);
      },
      close: () => drawer.close(),
    });
    await pictures.read({ title: 'Our new course', coverImage, school: 'Parley' });
    expect(drawn.map((each) => each.includes(coverImage))).toEqual([false]);
  });
});
