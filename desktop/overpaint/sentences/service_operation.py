"""Sentences for the operator of a service: configuration, ledger, backups, listening addresses."""

from __future__ import annotations

from overpaint.sentences.sentence import Sentence

_MIGRATION_FAILED = "Go back to the former version of Overpaint, or mend the cause and start again."

SENTENCES = {
    "tls_half_given": Sentence(
        "TLS needs both the certificate and its key.", "Give --tls-certificate and --tls-key, or neither."
    ),
    "rate_not_positive": Sentence("The request rate and its burst must be above zero."),
    "count_below_one": Sentence("Numbers of workers, streams, connections and uploads must be at least 1."),
    "public_url_malformed": Sentence(
        "The public address is not an http or https address without a path.",
        "Write it as https://api.example.org.",
    ),
    "allowed_host_malformed": Sentence(
        "{name} is not the name of a host.", "Write gpu-box or *.example.org."
    ),
    "backup_names_other_files": Sentence(
        "{backup} names files outside of the data folder.", "Use another backup."
    ),
    "ledger_missing": Sentence("There is no ledger in {folder}.", "Name the data folder with --data-dir."),
    "backup_target_exists": Sentence(
        "There is something at {target} already.", "Name a folder that is not there yet."
    ),
    "service_running_at_restore": Sentence(
        "The service of {folder} is running.", "Stop it, then restore.", "already_running"
    ),
    "backup_of_newer_version": Sentence(
        "{backup} was made by a newer Overpaint (form {form}; this one knows up to {newest}).",
        "Update Overpaint on this computer, then restore.",
    ),
    "backup_not_written": Sentence(
        "The backup cannot be written: {reason}.", "Look at the disk's space, or name another folder."
    ),
    "backup_not_restored": Sentence(
        "The backup cannot be restored: {reason}.", "Look at the disk's space, and restore again."
    ),
    "key_missing_for_address": Sentence(
        "There is no key yet, so nobody could use the service on {host}.",
        "Create one with: overpaint keys create --name NAME --environment live --credits N",
    ),
    "certificate_unusable": Sentence(
        "{certificate} and {key} cannot be used for TLS.",
        "Give a certificate chain and a private key without a password, both as PEM.",
    ),
    "certificate_file_unreadable": Sentence(
        "{path} cannot be read: {reason}.", "Name another file with {option}."
    ),
    "certificate_key_mismatch": Sentence(
        "{key} is not the key of {certificate}.", "Name the pair that belongs together."
    ),
    "ledger_copy_exists": Sentence(
        "There is something at {target} already.", "Name another place for the copy."
    ),
    "backup_missing": Sentence("There is no backup {backup}.", "Name the file of a backup, or its folder."),
    "backup_no_ledger": Sentence("{backup} is a database, but not a ledger's.", "Use another one."),
    "backup_damaged": Sentence("{backup} is damaged, or no backup: {reason}.", "Use another one."),
    "ledger_not_copied": Sentence(
        "The ledger {ledger} cannot be copied: {reason}.", "Look at the disk's space and its health."
    ),
    "grant_out_of_range": Sentence("Credits must be from 1 to {most}."),
    "charge_not_positive": Sentence("A charge is a positive number of credits."),
    "postings_unbalanced": Sentence("An entry's postings must sum to zero."),
    "refund_without_charge": Sentence("Only a charge can be given back."),
    "database_address_malformed": Sentence(
        "The database's address is none that Overpaint can use.",
        "Write postgresql://USER:PASSWORD@HOST/NAME or sqlite:///PATH.",
    ),
    "key_name_malformed": Sentence("The key's name must be 1 to {most} printable characters."),
    "key_account_malformed": Sentence("The key's account must be 1 to {most} printable characters."),
    "key_name_unknown": Sentence(
        "There is no working key named “{name}”.", "List them with: overpaint keys list"
    ),
    "key_name_reserved": Sentence("“{name}” is the desktop's own key.", "Choose another name."),
    "key_account_reserved": Sentence(
        "“{account}” is the desktop's own account, which is free.", "Choose another one: --account NAME"
    ),
    "ledger_not_opened": Sentence(
        "The ledger cannot be opened: {reason}.",
        "Check the data folder's disk and permissions, or the database's address.",
    ),
    "key_name_taken": Sentence(
        "There is already a key named “{name}”.", "Revoke it, or choose another name."
    ),
    "ledger_of_older_version": Sentence(
        "The ledger's database has form {form}, and this version of Overpaint needs {newest}.",
        "Back it up (pg_dump), stop every Overpaint that uses it, then run: overpaint ledger migrate",
    ),
    "ledger_migration_failed": Sentence(
        "The ledger could not be brought from form {form} to {newest}, and is as it was: {reason}.",
        _MIGRATION_FAILED,
    ),
    "ledger_migration_failed_after_copy": Sentence(
        "The ledger could not be brought from form {form} to {newest}, and is as it was: {reason}."
        " A copy from before is {copy}.",
        _MIGRATION_FAILED,
    ),
    "ledger_of_newer_version": Sentence(
        "The ledger was made by a newer Overpaint.",
        "Update Overpaint on this computer: it knows form {newest}, and the ledger has {form}.",
    ),
    "port_refused": Sentence(
        "Cannot listen on {host}, port {port}: {reason}.", "Choose another with --port."
    ),
    "port_out_of_range": Sentence("{port} is not a port.", "Choose one from 0 to 65535 with --port."),
    "host_unknown": Sentence("There is no host {host}.", "Name an address of this machine with --host."),
    "port_in_use": Sentence(
        "Port {port} on {host} is used by another program.",
        "Choose another with --port, or end that program.",
        "port_in_use",
    ),
    "host_of_other_machine": Sentence(
        "{host} is not an address of this machine.", "Name one of its own with --host."
    ),
    "port_denied": Sentence("Port {port} needs more rights.", "Choose one above 1023 with --port."),
}
