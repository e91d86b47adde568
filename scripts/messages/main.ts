/** `npm run messages`: lists what a language does not translate, translates inconsistently, or no longer needs. */
import { fileURLToPath } from 'node:url';
import { checkCatalogues } from './check-catalogues.ts';

const { problems, messages, languages } = await checkCatalogues(fileURLToPath(new URL('../..', import.meta.url)));
for (const problem of problems) console.log(problem);
console.log(`${messages} messages, ${languages.length} languages besides English, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
