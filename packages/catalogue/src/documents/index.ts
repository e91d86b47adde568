/** Documents that admins edit: their findings, and their conversion to rows. */
export { findDocumentFindings } from './document-findings.ts';
export {
  coachDocument,
  coachRow,
  type ContentRow,
  courseDocument,
  courseRow,
  postDocument,
  postRow,
  practiceDocument,
  practiceRows,
  requiredContent,
  ROOT_ENTITY,
  videoDocument,
  videoRow,
} from './document-rows.ts';
export { isStorable } from './storable-text.ts';
