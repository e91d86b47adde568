/** Pearson's correlation coefficient, which papers on pronunciation scoring report. */
export function pearson(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanA = mean(a);
  const meanB = mean(b);
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  a.forEach((value, index) => {
    const da = value - meanA;
    const db = (b[index] ?? 0) - meanB;
    product += da * db;
    squaresA += da * da;
    squaresB += db * db;
  });
  return product / Math.sqrt(squaresA * squaresB);
}
