import type { Subject } from "../../../schemas/version.ts";

interface SubjectPlace {
  noun: string;
  /** Name of the id parameter in paths. */
  param: string;
  /** The subject's name in operation ids. */
  title: string;
}

/** The names of each subject in paths and operations. */
export const subjects: Readonly<Record<Subject, SubjectPlace>> = {
  "communication-packs": { noun: "communication pack", param: "packId", title: "Pack" },
  designs: { noun: "design", param: "designId", title: "Design" },
  "canvas-designs": { noun: "canvas design", param: "canvasId", title: "CanvasDesign" },
};

export const subjectNames = Object.keys(subjects) as Subject[];
