"""The customer relationship manager: customers, whom they are assigned to, and where each deal stands.

Assignees need not be colleagues (partners look after customers too), so any well-formed address is taken, also a wrong one.
"""

from typing import Annotated, Any

from blade.gym.servers import tool
from resources_servers.workplace_assistant.moments import first_day, last_day, within
from resources_servers.workplace_assistant.state import CUSTOMERS, Workplace

from .values import Page, PageSize, address, choice, day, has, known, page_of, text

STATUSES = ("Lead", "Qualified", "Proposal", "Negotiation", "Won", "Lost")
PRODUCTS = ("Loggers", "Probes", "Gateways", "Calibration", "Training")

CustomerId = Annotated[str, "Id of the customer, such as cu-0001"]
Status = Annotated[str, f"One of {', '.join(STATUSES)}"]
Product = Annotated[str, f"One of {', '.join(PRODUCTS)}"]


def status(value: str, name: str) -> str:
    return choice(value, name, STATUSES)


def product(value: str, name: str) -> str:
    return choice(value, name, PRODUCTS)


def note(value: str, name: str) -> str:
    return text(value, name, needed=False)


CHECKS = {
    "customer_name": text,
    "assigned_to_email": address,
    "customer_email": address,
    "customer_phone": note,
    "last_contact_date": day,
    "product_interest": product,
    "status": status,
    "follow_up_by": day,
    "notes": note,
}


class CustomerTools:
    @tool
    def customer_relationship_manager_search_customers(
        self,
        state: Workplace,
        customer_name: Annotated[str, "Part of the customer's name"] = "",
        customer_email: Annotated[str, "Part of the customer's email address"] = "",
        product_interest: Product = "",
        status: Status = "",
        assigned_to_email: Annotated[str, "Email address of the assignee, or part of it"] = "",
        last_contact_date_min: Annotated[str, "Last contact on this day or later"] = "",
        last_contact_date_max: Annotated[str, "Last contact on this day or earlier"] = "",
        follow_up_by_min: Annotated[str, "Follow-up due on this day or later"] = "",
        follow_up_by_max: Annotated[str, "Follow-up due on this day or earlier"] = "",
        page: Page = 1,
        page_size: PageSize = 5,
    ) -> dict[str, Any]:
        """Search customers by any of these, in the order of their ids."""
        parts = {"customer_name": customer_name, "customer_email": customer_email, "assigned_to_email": assigned_to_email}
        equal = {
            "product_interest": choice(product_interest, "product_interest", (*PRODUCTS, "")),
            "status": choice(status, "status", (*STATUSES, "")),
        }
        contact_from = first_day(last_contact_date_min, "last_contact_date_min")
        contact_to = last_day(last_contact_date_max, "last_contact_date_max")
        follow_from, follow_to = first_day(follow_up_by_min, "follow_up_by_min"), last_day(follow_up_by_max, "follow_up_by_max")
        found = [
            row
            for row in state.rows(CUSTOMERS)
            if within(row["last_contact_date"], contact_from, contact_to)
            and within(row["follow_up_by"], follow_from, follow_to)
            and all(has(row, column, part) for column, part in parts.items())
            and all(value in ("", row[column]) for column, value in equal.items())
        ]
        found.sort(key=lambda row: row["customer_id"])
        return page_of("customers", found, page, page_size)

    @tool
    def customer_relationship_manager_update_customer(
        self,
        state: Workplace,
        customer_id: CustomerId,
        field: Annotated[str, f"One of {', '.join(CHECKS)}"],
        new_value: Annotated[str, "The new value"],
    ) -> dict[str, str]:
        """Change one field of a customer."""
        column = known(field, CHECKS)
        state.update(CUSTOMERS, customer_id.strip(), column, CHECKS[column](new_value, "new_value"))
        return {"updated": customer_id.strip()}

    @tool
    def customer_relationship_manager_add_customer(
        self,
        state: Workplace,
        customer_name: Annotated[str, "Name of the customer"],
        assigned_to_email: Annotated[str, "Email address of the assignee"],
        status: Status,
        customer_email: Annotated[str, "Email address of the customer"] = "",
        customer_phone: Annotated[str, "Phone number"] = "",
        last_contact_date: Annotated[str, "Day of the last contact"] = "",
        product_interest: Product = "",
        notes: Annotated[str, "Notes"] = "",
        follow_up_by: Annotated[str, "Day by which to follow up"] = "",
    ) -> dict[str, str]:
        """Add a customer; what is not known stays empty."""
        given = {
            "customer_name": customer_name,
            "assigned_to_email": assigned_to_email,
            "customer_email": customer_email,
            "customer_phone": customer_phone,
            "last_contact_date": last_contact_date,
            "product_interest": product_interest,
            "status": status,
            "follow_up_by": follow_up_by,
            "notes": notes,
        }
        must = ("customer_name", "assigned_to_email", "status")
        values = {
            column: CHECKS[column](value, column) if value.strip() or column in must else "" for column, value in given.items()
        }
        return {"created": state.create(CUSTOMERS, values)}

    @tool
    def customer_relationship_manager_delete_customer(self, state: Workplace, customer_id: CustomerId) -> dict[str, str]:
        """Delete a customer."""
        state.delete(CUSTOMERS, customer_id)
        return {"deleted": customer_id.strip()}
