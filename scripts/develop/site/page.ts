interface Page {
  /** The document's first heading, as HTML. */
  title: string;
  /** The document as HTML. */
  body: string;
  /** The link from the page to the start page. */
  home: string;
}

/** Returns a page of the site. It loads nothing from elsewhere and runs no script. */
export const pageOf = ({ title, body, home }: Page): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title === "Shelfwire" ? title : `${title} - Shelfwire`}</title>
<style>${STYLE}</style>
</head>
<body>
<header><a href="${home}">Shelfwire</a> <a href="${home}#documents">Documents</a></header>
<main>
${body}</main>
</body>
</html>
`;

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
body { max-width: 56rem; margin: auto; padding: 0 1rem 3rem; }
header { display: flex; gap: 1.5rem; padding: 1rem 0; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
h1, h2, h3 { line-height: 1.25; margin: 2rem 0 .5rem; }
img { max-width: 100%; height: auto; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: .35rem .7rem; border: 1px solid color-mix(in srgb, currentColor 20%, transparent); text-align: start; vertical-align: top; }
code { font: .9em/1.5 ui-monospace, monospace; overflow-wrap: break-word; }
pre { padding: .8rem 1rem; overflow-x: auto; background: color-mix(in srgb, currentColor 7%, transparent); }
pre code { overflow-wrap: normal; }
`;
