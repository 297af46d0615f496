import { scoped } from "./scoped.ts";

let count = 0;

/**
 * Replaces the package css-styled in a bundle. The package inserts style elements, which the policy of the pages
 * forbids; this module adds constructed style sheets, which the policy allows.
 */
export default function styled(css: string) {
  count += 1;
  const className = `styled-${count}`;
  let sheet: CSSStyleSheet | undefined;
  return {
    className,
    inject(element: Element) {
      const root = element.getRootNode();
      const home = root instanceof ShadowRoot ? root : element.ownerDocument;
      if (sheet === undefined) {
        sheet = new CSSStyleSheet();
        sheet.replaceSync(scoped(css, className));
      }
      if (!home.adoptedStyleSheets.includes(sheet)) home.adoptedStyleSheets.push(sheet);
      // The sheet is kept, because other elements of the page may use it.
      return { destroy() {} };
    },
  };
}
