/** Evaluates gradient-boosted regression trees in the compact format that the training recipe exports. */

export interface TreeEnsemble {
  /** The number of columns in a row. */
  features: number;
  predict: (row: readonly number[]) => number;
}

const MAGIC = 0x32455254;
const HEADER_BYTES = 12;
const NODE_BYTES = 16;
const NUMBER_NODE = 0;
const CATEGORY_NODE = 1;
const LEAF = 2;

/**
 * Parses `TRE2` | u16 features | u16 trees | f32 baseline | per tree: u16 nodes, then per node u8 kind, u8 unused, u16 feature, u16 left,
 * u16 right, 8 bytes. Little-endian. Kind 0: f64 threshold, left when `row[feature] <= threshold`; kind 1: a set of categories 0-63 as
 * bits, left when `row[feature]` is in it; kind 2: a leaf with its f64 value.
 */
export function readTrees(bytes: Uint8Array): TreeEnsemble {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC)
    throw new Error('the file is not a tree model; retrain the scorer');
  const features = view.getUint16(4, true);
  const treeCount = view.getUint16(6, true);
  const baseline = view.getFloat32(8, true);
  const roots: number[] = [];
  const kind: number[] = [];
  const feature: number[] = [];
  const left: number[] = [];
  const right: number[] = [];
  const value: number[] = [];
  /** The categories 0-31 and 32-63 of a set. */
  const low: number[] = [];
  const high: number[] = [];
  let offset = HEADER_BYTES;
  for (let tree = 0; tree < treeCount; tree += 1) {
    const nodes = view.getUint16(offset, true);
    offset += 2;
    const root = kind.length;
    roots.push(root);
    for (let node = 0; node < nodes; node += 1, offset += NODE_BYTES) {
      kind.push(view.getUint8(offset));
      feature.push(view.getUint16(offset + 2, true));
      left.push(root + view.getUint16(offset + 4, true));
      right.push(root + view.getUint16(offset + 6, true));
      value.push(view.getFloat64(offset + 8, true));
      low.push(view.getUint32(offset + 8, true));
      high.push(view.getUint32(offset + 12, true));
    }
  }
  const isInSet = (node: number, category: number): boolean =>
    (((category < 32 ? low[node] : high[node]) as number) & (1 << (category % 32))) !== 0;
  const predict = (row: readonly number[]): number => {
    if (row.length !== features) throw new Error(`the tree model expects ${features} features, not ${row.length}`);
    let sum = baseline;
    for (const root of roots) {
      let node = root;
      while (kind[node] !== LEAF) {
        const measure = row[feature[node] as number] as number;
        const goesLeft = kind[node] === CATEGORY_NODE ? isInSet(node, measure) : measure <= (value[node] as number);
        node = (goesLeft ? left[node] : right[node]) as number;
      }
      sum += value[node] as number;
    }
    return sum;
  };
  if (kind.some((each) => each > LEAF || each < NUMBER_NODE))
    throw new Error('the file is not a tree model; retrain the scorer');
  return { features, predict };
}
