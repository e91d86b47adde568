export { ContentListScreen } from './content-list-screen.tsx';
export { EditorScreen } from './editor/editor-screen.tsx';
