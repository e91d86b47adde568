/** Checks every request to and every answer of the fakes against OpenAI's published schemas. */
export { eventProblem, prepareSchemas, schemaProblem, type SchemaProblem, wrongValue } from './check-schema.ts';
