/** The props of the form of one kind of content. */
import type { AnyContent, ContentFinding, DocumentOf } from '@parley/domain';

export interface FormProps<Kind extends AnyContent['kind']> {
  id: string;
  document: DocumentOf<Kind>;
  findings: readonly ContentFinding[];
  onChange: (document: DocumentOf<Kind>) => void;
}
