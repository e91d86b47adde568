/**
 * Times a packed model on one WebAssembly thread: `node time-model.ts MODEL.onnx.br [SECONDS=8]` prints the computing
 * time per second of speech, and the memory.
 */
import { loadAcousticModel } from '../src/acoustic/acoustic-model.ts';
import { MEL_BANDS } from '../src/signal/log-mel.ts';

const [, , file, seconds = '8'] = process.argv;
if (file === undefined) throw new Error('the packed model is required');
const before = process.memoryUsage().rss;
const loadedFrom = performance.now();
const acoustic = await loadAcousticModel(file, { threads: 1 });
const loadMs = performance.now() - loadedFrom;
const frames = Number(seconds) * 100;
const speech = { frames, values: Float32Array.from({ length: frames * MEL_BANDS }, (_, at) => Math.sin(at * at) * 3) };
await acoustic.run(speech);
const runs = 5;
const cpuFrom = process.cpuUsage();
for (let run = 0; run < runs; run += 1) await acoustic.run(speech);
const { user, system } = process.cpuUsage(cpuFrom);
console.log({
  loadMs: Math.round(loadMs),
  workPerSecond: Number(((user + system) / 1e6 / runs / Number(seconds)).toFixed(4)),
  memoryMiB: Math.round((process.memoryUsage().rss - before) / 2 ** 20),
});
await acoustic.close();
