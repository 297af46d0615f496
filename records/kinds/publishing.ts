import { Publication, PublicationContent } from "../../schemas/publication.ts";
import { Draft, Version } from "../../schemas/version.ts";
import { recordKind } from "../kind.ts";

export const versions = recordKind("version", Version, {
  // For a tenant's oldest versions.
  indexes: [{ keys: { store: 1, changedAt: 1 } }],
});

export const drafts = recordKind("draft", Draft);

export const publications = recordKind("publication", Publication, {
  // Only publications with something left to do.
  indexes: [{ keys: { due: 1 }, sparse: true }],
});

export const publicationContents = recordKind("publicationcontent", PublicationContent);
