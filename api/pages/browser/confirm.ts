/** Opens a dialog, and waits for its answer: whether it is yes. One that is closed without an answer says no. */
export async function isConfirmed(dialog: HTMLDialogElement): Promise<boolean> {
  dialog.returnValue = "no";
  dialog.showModal();
  await new Promise((done) => dialog.addEventListener("close", done, { once: true }));
  return dialog.returnValue === "yes";
}
