/** Gradient-boosted regression trees, as the training recipe exports them: a small file, a small walk. */

export interface TreeEnsemble {
  /** Columns a row must have. */
  features: number;
  predict: (row: readonly number[]) => number;
}

const MAGIC = 0x31455254;
const NODE_BYTES = 10;
const LEAF = -1;

/**
 * Reads `TRE1` | u16 features | u16 trees | f32 baseline | per tree: u16 nodes, then per node i16 feature (-1: leaf),
 * f32 threshold or value, u16 left, u16 right. Little-endian. A row goes left where `row[feature] <= threshold`.
 */
export function readTrees(bytes: Uint8Array): TreeEnsemble {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 12 || view.getUint32(0, true) !== MAGIC)
    throw new Error('not a tree model; train the scorer again');
  const features = view.getUint16(4, true);
  const treeCount = view.getUint16(6, true);
  const baseline = view.getFloat32(8, true);
  const roots: number[] = [];
  const feature: number[] = [];
  const value: number[] = [];
  const left: number[] = [];
  const right: number[] = [];
  let offset = 12;
  for (let tree = 0; tree < treeCount; tree += 1) {
    const nodes = view.getUint16(offset, true);
    offset += 2;
    const root = feature.length;
    roots.push(root);
    for (let node = 0; node < nodes; node += 1, offset += NODE_BYTES) {
      feature.push(view.getInt16(offset, true));
      value.push(view.getFloat32(offset + 2, true));
      left.push(root + view.getUint16(offset + 6, true));
      right.push(root + view.getUint16(offset + 8, true));
    }
  }
  const predict = (row: readonly number[]): number => {
    if (row.length !== features) throw new Error(`the tree model expects ${features} features, not ${row.length}`);
    let sum = baseline;
    for (const root of roots) {
      let node = root;
      while (feature[node] !== LEAF) {
        const goesLeft = (row[feature[node] as number] as number) <= (value[node] as number);
        node = (goesLeft ? left[node] : right[node]) as number;
      }
      sum += value[node] as number;
    }
    return sum;
  };
  return { features, predict };
}
