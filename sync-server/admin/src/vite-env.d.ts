declare module '*.module.css' {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}
declare module '*.css';
interface ImportMeta {
  /** Vite: loaders of the files that match, by path. */
  glob<Module>(pattern: string, options: { import: 'default' }): Record<string, () => Promise<Module>>;
}
