/** OpenAI's published schemas, against which the fakes check every request and every answer. */
export { eventProblem, prepareSchemas, schemaProblem, type SchemaProblem, wrongValue } from './check.ts';
