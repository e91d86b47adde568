import { expect, it } from 'vitest';
import { aPng, withWidth } from '../../test-kit/media/a-png.ts';
import { MP4 } from '../../test-kit/media/media-fixture.ts';
import { readPicture } from './read-picture.ts';

const JPEG =
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////2wBDAVVaWnhpeOuCguv/////////////////////////////////////////////////////////////////////////wAARCAAFAAcDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAP/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFQEBAQAAAAAAAAAAAAAAAAAAAwT/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADAMBAAIRAxEAPwCQA1j/2Q==';
const LOSSY_WEBP = 'UklGRjQAAABXRUJQVlA4ICgAAACQAQCdASoHAAUAB0CWJaACdLoAA5gA/uUK+Cepco/+N48CvJdjoAAA';
const LOSSLESS_WEBP = 'UklGRhsAAABXRUJQVlA4TA8AAAAvBgABAAcQ/Y/+ByKi/wE=';
const TRANSPARENT_WEBP =
  'UklGRl4AAABXRUJQVlA4WAoAAAAQAAAABgAABAAAQUxQSA0AAAABDzD/ERHieH8R/Q8MAFZQOCAqAAAAkAEAnQEqBwAFAAdAliWwAnS6AAOYAP7lCvgnqXKP/iV7Gvz+S7pWzsAA';
const decode = (text: string): Buffer => Buffer.from(text, 'base64');

it.each([
  ['a PNG', aPng(7, 5), 'image/png'],
  ['a JPEG', decode(JPEG), 'image/jpeg'],
  ['a lossy WebP', decode(LOSSY_WEBP), 'image/webp'],
  ['a lossless WebP', decode(LOSSLESS_WEBP), 'image/webp'],
  ['a transparent WebP', decode(TRANSPARENT_WEBP), 'image/webp'],
])('finds the type and the size of %s', async (_what, bytes, mediaType) => {
  expect(await readPicture(bytes)).toEqual({ mediaType, width: 7, height: 5 });
});

it.each([
  ['nothing', Buffer.alloc(0)],
  ['a page', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
  ['a video', MP4],
  ['a PNG without a size', aPng(0, 5)],
  ['a PNG of more pixels than an app can show', withWidth(aPng(1, 20_000), 20_000)],
  ['a PNG that was cut off', aPng(7, 5).subarray(0, 18)],
  ['a JPEG that was cut off', decode(JPEG).subarray(0, 120)],
  ['a WebP that was cut off', decode(LOSSY_WEBP).subarray(0, 20)],
])('finds no picture in %s', async (_what, bytes) => {
  expect(await readPicture(bytes)).toBeNull();
});
