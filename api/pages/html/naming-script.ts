/**
 * A script for a page that is not Shelfwire's own: names its controls by selector, whenever the page adds some. If
 * several selectors match a control, the last one names it. Screen readers read these names, and voice control uses them.
 */
export const namingScript = (
  names: Readonly<Record<string, string>>,
): string => `const names = ${JSON.stringify(names)};
function nameControls() {
  for (const [selector, name] of Object.entries(names))
    for (const control of document.querySelectorAll(selector))
      control.setAttribute("aria-label", name);
}
new MutationObserver(nameControls).observe(document.documentElement, { childList: true, subtree: true });
nameControls();
`;
