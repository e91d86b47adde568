/** A post's picture: the school's photo, or a drawing in the style of the product’s covers. */
import type { BlogPostCard } from '@parley/contract';
import { Cover } from '@parley/ui';
import type { ReactElement } from 'react';

/** Posts have no category, so each gets the colours of one, chosen by its address. */
const PALETTES = ['Clients', 'Interviews', 'Presentations', 'Small talk', 'Travel', 'Settling in', 'Phone calls'];

export function PostCover({ post: { slug, title, coverImage } }: { post: BlogPostCard }): ReactElement {
  const sum = [...slug].reduce((total, letter) => total + letter.charCodeAt(0), 0);
  const category = PALETTES[sum % PALETTES.length] ?? '';
  return <Cover imageUrl={coverImage ?? ''} source={{ title, category, level: 'intermediate' }} />;
}
