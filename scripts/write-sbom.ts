/** `npm run --silent sbom -- desktop`, or `sync-server`: prints the packages that this product ships with. */
import { fileURLToPath } from 'node:url';
import { isProduct, makeSbom } from './notices/sbom.ts';

const [product = ''] = process.argv.slice(2);
if (!isProduct(product)) {
  console.error('npm run --silent sbom -- desktop | sync-server');
  process.exit(2);
}
console.log(JSON.stringify(await makeSbom(fileURLToPath(new URL('..', import.meta.url)), product), null, 2));
