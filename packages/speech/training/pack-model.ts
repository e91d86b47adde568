/** Compresses an exported model into the file that ships: `node pack-model.ts acoustic.onnx ../models/acoustic.onnx.br`. */
import { readFile, writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * 64 KiB: weights hardly ever repeat, and unpacking needs no more memory than this. The largest window saves only 2 %.
 */
const WINDOW_BITS = 16;

const [, , from, to] = process.argv;
if (from === undefined || to === undefined) throw new Error('the arguments are the exported model and the output file');
const packed = brotliCompressSync(await readFile(from), {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS,
  },
});
await writeFile(to, packed);
